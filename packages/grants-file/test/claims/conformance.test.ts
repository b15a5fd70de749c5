import { join } from "node:path";
import { claimStoreSuite } from "@x/conformance";
import { ManualClock } from "@x/permission-core/testing";
import { describe, it } from "vitest";
import { FileClaimStore } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Each of them is two files that are made safe on disk, which may be busy. */
const otherClaims = 300;

describe("a claim store on files", () => {
  const clock = new ManualClock();
  claimStoreSuite({
    it,
    create: () => new FileClaimStore({ folder: join(temporaryFolder(), "claims"), clock }),
    reopen: ({ folder }) => new FileClaimStore({ folder, clock }),
    pass: (ms) => clock.advance(ms),
    now: () => clock.now(),
    otherClaims,
  });
});

describe("a claim store on files that goes by the system's clock and waits for no lock", () => {
  claimStoreSuite({
    it,
    create: () => new FileClaimStore({ folder: temporaryFolder(), lockTimeoutMs: 0 }),
    reopen: ({ folder }) => new FileClaimStore({ folder, lockTimeoutMs: 0 }),
    pass: async (ms) => {
      const until = Date.now() + ms;
      while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    now: () => Date.now(),
    otherClaims,
  });
});
