/** Paths that clients ask for by themselves and that must never be taken for slugs. */
import type { HttpApp, HttpRequest, HttpResponse } from "../engine/engine.ts";
import type { AnswersAtOnce } from "../http/answers-at-once.ts";
import { RequestHead } from "../http/request/request-head.ts";
import type { AnswerEnd } from "./answer-end.ts";
import { isClear, refuseUnclear } from "./clear-request.ts";

const robots = "User-agent: *\nDisallow: /\n";
const headers = "Cache-Control: public, max-age=86400\r\nX-Content-Type-Options: nosniff";
const robotsHead = `200 OK\r\n${headers}\r\nContent-Type: text/plain; charset=utf-8`;
const iconHead = `204 No Content\r\n${headers}`;

const tellNobody = () => {};

export function registerFixedFiles(app: HttpApp, end: AnswerEnd, atOnce: AnswersAtOnce): void {
  const head = new RequestHead();
  const serving = (answer: (res: HttpResponse) => void) => (res: HttpResponse, req: HttpRequest) => {
    if (!isClear(head.read(req))) refuseUnclear(res, req, head, tellNobody);
    else if (atOnce.take()) answer(res);
    else atOnce.hold(res, () => answer(res), tellNobody);
  };
  const icon = serving((res) => end.withoutBody(res, iconHead));
  app.get(
    "/robots.txt",
    serving((res) => end.withBody(res, robotsHead, robots)),
  );
  app.head(
    "/robots.txt",
    serving((res) => end.withLengthOf(res, robotsHead, robots)),
  );
  app.get("/favicon.ico", icon);
  app.head("/favicon.ico", icon);
}
