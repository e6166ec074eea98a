/**
 * Known robots: what crawls the web, and what fetches a link to show a preview of it. One table, by what they call
 * themselves; `test/visitor/robot.test.ts` holds it against agents as they are.
 *
 * Programs that merely fetch (curl, HTTP libraries) are none: a person may have sent them. Nor is it meant to find those
 * who hide: naming itself costs a robot nothing, and gains it nothing either (see `decideFor` in `scan/scan-counter.ts`).
 */

/** Parts of names, in any case of letters. */
const names: readonly string[] = [
  // Whatever calls itself a bot, crawler or spider, or gives the address of a page about itself. CUBOT makes telephones.
  "(?<!cu)bot(?![a-z0-9_])",
  "bot/",
  "crawl",
  "spider",
  "https?://",
  // Search.
  "googleother",
  "google-inspectiontool",
  "google-read-aloud",
  "google-extended",
  "google-safety",
  "googleimageproxy",
  "apis-google",
  "mediapartners-google",
  "feedfetcher-google",
  "google favicon",
  "google web preview",
  "google-pagerenderer",
  "bingpreview",
  "microsoftpreview",
  "yahoo! slurp",
  "yandex\\.com/bots",
  "sogou web",
  "daumoa",
  "yeti/",
  "qwantify",
  "ia_archiver",
  "archive\\.org",
  "petalsearch",
  // Models that read.
  "chatgpt-user",
  "claude-user",
  "claude-web",
  "anthropic-ai",
  "perplexity-user",
  "meta-externalagent",
  "meta-externalfetcher",
  "cohere-ai",
  // Previews of links.
  "facebookexternalhit",
  "facebookcatalog",
  "facebot",
  "^whatsapp(?:/|$)",
  "skypeuripreview",
  "slack-imgproxy",
  "snap url preview",
  "viber/.*preview",
  "line-poker",
  "kakaotalk-scrap",
  "vkshare",
  "bluesky cardyb",
  "pinterest\\.com/bot",
  "embedly",
  "iframely",
  "quora link preview",
  "tumblr/\\d",
  "flipboardproxy",
  "bitlybot",
  "nuzzel",
  "mastodon/",
  "url ?preview",
  "link ?preview",
  "uripreview",
  // Watchers and testers.
  "headlesschrome",
  "phantomjs",
  "chrome-lighthouse",
  "pingdom",
  "statuscake",
  "site24x7",
  "screaming frog",
  "w3c_validator",
  "w3c-checklink",
  "validator\\.nu",
];

const known = new RegExp(names.join("|"), "i");

export function isRobotAgent(userAgent: string): boolean {
  return known.test(userAgent);
}
