import { isolatedReport, type OnReport, PermissionGateError } from "@x/permission-core";
import { ChannelApprover } from "./channel-approver.js";
import { ChannelHub } from "./channel-hub.js";
import { ChannelResolver } from "./channel-resolver.js";

export interface ApprovalChannelOptions {
  /** Whether the approver is somebody at this very terminal or window; default false, so unattended runs ask too. */
  interactive?: boolean;
  /** Told when asks are denied because their approver is gone; default `console.warn`. */
  onReport?: OnReport;
}

/** Both sides of a channel, by position and by name. */
export type ApprovalPair = readonly [resolver: ChannelResolver, approver: ChannelApprover] & {
  readonly resolver: ChannelResolver;
  readonly approver: ChannelApprover;
};

/** A channel inside one process: calls park at one side until the other answers. */
export const ApprovalChannel = {
  /**
   * `capacity` is how many undelivered asks the queue holds; below 1 counts as 1. Further asks wait for room, in order
   * and without loss, and can be answered meanwhile. Throws code `invalid_option` when it is no number.
   *
   * Keep the approver for as long as it is to answer: once it is garbage-collected, everything that waits and
   * everything that comes is denied, as if it had been closed.
   */
  pair(capacity: number, options: ApprovalChannelOptions = {}): ApprovalPair {
    if (typeof capacity !== "number" || Number.isNaN(capacity)) {
      throw new PermissionGateError("invalid_option", "capacity must be a number");
    }
    const hub = new ChannelHub(Math.max(Math.floor(capacity), 1));
    const report = isolatedReport(options.onReport);
    const resolver = new ChannelResolver(hub, options.interactive ?? false);
    const approver = new ChannelApprover(hub, () => {
      collected.unregister(hub);
      const denied = hub.closeApprover();
      if (denied > 0) report({ level: "warn", message: `approver closed: ${denied} waiting asks denied` });
    });
    collected.register(resolver, () => hub.closeResolver());
    collected.register(approver, () => reportCollected(hub, report), hub);
    return Object.assign([resolver, approver] as const, { resolver, approver });
  },
};

/** Runs what it was given once the object registered with it is gone. What it is given must not reach that object. */
const collected = new FinalizationRegistry<() => void>((clean) => clean());

function reportCollected(hub: ChannelHub, report: OnReport): void {
  const denied = hub.closeApprover();
  // Where both sides go in one collection, nobody is left who could be denied; the other may be told after this one.
  queueMicrotask(() => {
    if (denied === 0 && !hub.isFed) return;
    report({
      level: "warn",
      message: `approver garbage-collected without close(): ${denied} waiting asks denied, and all that come will be`,
    });
  });
}
