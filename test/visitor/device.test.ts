import assert from "node:assert/strict";
import { test } from "node:test";
import type { Device } from "../../src/domain/documents.ts";
import { deviceOf } from "../../src/visitor/agent.ts";

const agents: [Device, string][] = [
  [
    "ios",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  ],
  [
    "ios",
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile Safari/604.1",
  ],
  ["ios", "Mozilla/5.0 (iPod touch; CPU iPhone OS 7_0 like Mac OS X) AppleWebKit/537.51.1"],
  ["ios", "Instagram 300.0 (iPhone12,1; iOS 16_6; en_US)"],
  ["ios", "AiPx/1.0 (iPad)"],
  [
    "android",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36",
  ],
  ["android", "Dalvik/2.1.0 (Linux; U; Android 9; SM-G960F)"],
  ["android", "Mozilla/5.0 (Android 13; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0"],
  [
    "desktop",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15",
  ],
  ["desktop", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36"],
  ["desktop", "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0"],
  ["desktop", "curl/8.5.0"],
  ["desktop", "iP"],
  ["desktop", "AiPx iPho"],
  ["desktop", ""],
];

for (const [device, agent] of agents) {
  test(`"${agent}" is ${device}`, () => {
    assert.equal(deviceOf(agent), device);
  });
}
