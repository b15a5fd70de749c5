import { claimStoreSuite } from "@x/conformance";
import { MemoryClaimStore } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { it } from "vitest";

const clock = new ManualClock();

claimStoreSuite({
  it,
  create: () => new MemoryClaimStore({ clock }),
  pass: (ms) => clock.advance(ms),
  now: () => clock.now(),
});
