import { getEventListeners } from "node:events";
import { askChannelSuite } from "@x/conformance";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { ApprovalChannel } from "../src/index.js";

const capabilities = {
  closeResolver: ({ resolver }: ReturnType<typeof create>) => resolver.close(),
  listenersOf: (signal: AbortSignal) => getEventListeners(signal, "abort").length,
  liveTimers: () => vi.getTimerCount(),
};

function create(capacity: number) {
  return ApprovalChannel.pair(capacity, { onReport: () => {} });
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a channel with room for every ask", () => {
  askChannelSuite({ it, create: () => create(64), ...capabilities });
});

describe("a channel with room for one ask", () => {
  askChannelSuite({ it, create: () => create(0), ...capabilities });
});
