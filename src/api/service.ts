/** What the service says of itself: a page for people at `/`, its health, and its figures. */

import { ApiError, unavailable } from "../domain/errors.ts";
import type { Call } from "../door/route.ts";
import type { EngineName } from "../engine/engine.ts";
import { prefersPage } from "../http/negotiation.ts";
import { type Reply, refusal, success } from "../http/reply.ts";
import { htmlType, smallPage, smallPagePolicy } from "../http/small-page.ts";
import { metricsKeptMs } from "../limits.ts";
import { expositionType } from "../metrics/exposition.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { answerExamples } from "../openapi/examples.ts";
import { jsonAnswer } from "../openapi/operation.ts";
import type { Clock, Millis } from "../runtime/clock.ts";
import { get, type Operation, operationsFor } from "./operation.ts";

type FigureSource = Pick<Metrics, "expose">;

export interface ServiceParts {
  metrics: FigureSource;
  clock: Clock;
  engine: EngineName;
  /** What keeps the service from being ready; empty when nothing does. */
  problems(): Promise<string[]>;
}

/** A code, whole. */
const picture =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M3 3h7v7H3zM14 3h7v7h-7zM3 14h7v7H3zM14 14h3v3h-3zM21 14v3M17 21h4" stroke-linecap="round"/></svg>';

const page = smallPage(
  "qrelay",
  `${picture}<h1>qrelay</h1><p>This site opens the links behind QR codes.</p>` +
    "<p>Did a code bring you here? Then part of its address is missing: scan it again.</p>" +
    '<p>To make codes of your own, see the <a href="/docs">API reference</a>.</p>',
);

const varies = ["vary", "Accept"] as const;

/** Where people come who cut a link short, or wonder what answers here. There is nothing for programs. */
function getHome({ exchange }: Call): Reply {
  if (!prefersPage(exchange.header("accept"), "application/json")) {
    const reply = refusal(exchange.requestId, new ApiError("not_found"));
    return { ...reply, headers: [...reply.headers, varies] };
  }
  const headers = [varies, ["content-type", htmlType], ["content-security-policy", smallPagePolicy]] as const;
  return { status: 200, headers, body: page };
}

export function getHealth({ exchange }: Call): Reply {
  return success(exchange.requestId, { status: "alive" });
}

export async function getReadiness(
  { exchange }: Call,
  parts: Pick<ServiceParts, "engine" | "problems">,
): Promise<Reply> {
  const problems = await parts.problems();
  if (problems.length === 0) return success(exchange.requestId, { status: "ready", engine: parts.engine });
  throw unavailable(problems.join("; "));
}

const taken = new WeakMap<FigureSource, { at: Millis; text: string }>();

/** Taking the figures costs a millisecond: whoever asks often gets them again. */
export function getMetrics(_call: Call, { metrics, clock }: Pick<ServiceParts, "metrics" | "clock">): Reply {
  const now = clock.now();
  let figures = taken.get(metrics);
  if (figures === undefined || Math.abs(now - figures.at) >= metricsKeptMs) {
    figures = { at: now, text: metrics.expose() };
    taken.set(metrics, figures);
  }
  return { status: 200, headers: [["content-type", expositionType]], body: figures.text };
}

export const serviceOperations: readonly Operation<ServiceParts>[] = [
  ...operationsFor({ tag: "Service", access: "anyone" }, [
    {
      id: "getHome",
      ...get("/"),
      summary: "What this site is",
      description: "For people: there is a page, and nothing for those who do not ask for HTML.",
      handler: getHome,
      answers: [
        {
          status: 200,
          description: "A page.",
          content: { "text/html": { schema: { type: "string" } } },
          headers: { Vary: "VaryAccept" },
        },
      ],
      errors: ["not_found"],
    },
    {
      id: "getHealth",
      ...get("/healthz"),
      summary: "Is the process alive?",
      handler: getHealth,
      answers: [jsonAnswer(200, "It is.", "HealthAnswer", answerExamples.alive)],
    },
    {
      id: "getReadiness",
      ...get("/readyz"),
      summary: "Can it serve?",
      description: "When it cannot, the message of the 503 says what is wrong.",
      handler: getReadiness,
      answers: [jsonAnswer(200, "It can.", "ReadinessAnswer", answerExamples.ready)],
    },
  ]),
  {
    id: "getMetrics",
    ...get("/metrics"),
    tag: "Service",
    summary: "Figures for Prometheus",
    description:
      "Needs the token of `METRICS_TOKEN` or the admin token, unless the operator has opened it (`METRICS=open`). With `METRICS=off` there is nothing here.",
    access: "metrics",
    handler: getMetrics,
    answers: [
      {
        status: 200,
        description: "Prometheus text format.",
        content: { "text/plain": { schema: { type: "string" } } },
      },
    ],
    errors: ["not_found"],
  },
];
