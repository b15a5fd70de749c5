import { getEventListeners } from "node:events";
import { ApprovalChannel } from "@x/ask-channel";
import { askChannelSuite } from "@x/conformance";
import { it } from "vitest";

askChannelSuite({
  it,
  create: () => ApprovalChannel.pair(16, { onReport: () => {} }),
  closeResolver: ({ resolver }) => resolver.close(),
  listenersOf: (signal) => getEventListeners(signal, "abort").length,
});
