/**
 * The URL that a text is, or null. `URL.canParse` is not asked: on Node 20 and 22, once it is called often
 * enough to be compiled, it answers no to any text with a Latin-1 letter such as `ü` in it.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
