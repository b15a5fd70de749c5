import { describe, expect, it } from "vitest";
import type { LockFiles } from "../../src/lock/lock-files.js";
import { lockNames } from "../../src/lock/lock-names.js";
import { type LockOwner, lockOwnerText, parseLockOwner } from "../../src/lock/lock-owner.js";
import type { ProcessTable } from "../../src/lock/process-table.js";
import { type MakeParty, searchInterleavings } from "./interleavings.js";

describe("every order of the lock's file operations", () => {
  it.each([
    { contenders: 2, deaths: 0, deadLock: false, states: 32 },
    { contenders: 3, deaths: 0, deadLock: false, states: 203 },
    { contenders: 2, deaths: 0, deadLock: true, states: 151 },
    { contenders: 2, deaths: 1, deadLock: true, states: 467 },
    { contenders: 3, deaths: 0, deadLock: true, states: 2_411 },
    { contenders: 3, deaths: 1, deadLock: true, states: 13_043 },
  ])(
    "[CASE-109] has one holder at a time, no living lock removed and nobody waiting for ever: $contenders contenders, deaths: $deaths, lock of a dead process: $deadLock",
    async ({ states, ...search }) => {
      expect(await searchInterleavings(search)).toEqual({ fault: null, states });
    },
  );
});

const ownerIn = (text: Awaited<ReturnType<LockFiles["read"]>>) =>
  typeof text === "string" ? parseLockOwner(text) : null;

/** A lock that clears a dead owner's file away in a way of its own. */
function partyThatClears(
  clear: (files: LockFiles, owner: LockOwner, own: string) => Promise<"changed" | "blocked">,
): MakeParty {
  return (files: LockFiles, processes: ProcessTable, nonce: string) => {
    const { lock, contender } = lockNames("/ledger/grants.json");
    const isDead = (pid: number) => processes.sight(pid).kind === "none";
    return {
      enter: () => files.create(contender(nonce), lockOwnerText({ ...processes.self(), nonce })),
      async attempt() {
        if (await files.link(contender(nonce), lock)) return { kind: "held" };
        const text = await files.read(lock);
        if (text === null) return { kind: "changed" };
        const owner = ownerIn(text) as LockOwner;
        const blocked = { kind: "blocked", by: { path: lock, state: "running", owner } } as const;
        if (!isDead(owner.pid)) return blocked;
        return (await clear(files, owner, contender(nonce))) === "changed" ? { kind: "changed" } : blocked;
      },
      release: () => files.remove(lock),
    };
  };
}

describe("the search finds the fault of a lock", () => {
  const { lock, take } = lockNames("/ledger/grants.json");

  it("[CASE-109] whose dead owner's file is removed by whoever judged it dead", async () => {
    const makeParty = partyThatClears(async (files) => {
      await files.remove(lock);
      return "changed";
    });
    const { fault } = await searchInterleavings({ contenders: 2, deaths: 0, deadLock: true, makeParty });
    expect(fault?.rule).toBe("a living process's lock was removed");
  });

  it("whose dead owner's file is read again before it is removed, but by several at once", async () => {
    const makeParty = partyThatClears(async (files, { nonce }) => {
      const text = await files.read(lock);
      if (ownerIn(text)?.nonce === nonce) await files.remove(lock);
      return "changed";
    });
    const { fault } = await searchInterleavings({ contenders: 2, deaths: 0, deadLock: true, makeParty });
    expect(fault?.rule).toBe("a living process's lock was removed");
  });

  it("that stays blocked when a process dies while it has the right to remove", async () => {
    const makeParty = partyThatClears(async (files, { nonce }, own) => {
      if (!(await files.link(own, take(nonce)))) return "blocked";
      const text = await files.read(lock);
      if (ownerIn(text)?.nonce === nonce) await files.remove(lock);
      await files.remove(take(nonce));
      return "changed";
    });
    const sound = { contenders: 2, deaths: 0, deadLock: true, makeParty };
    expect((await searchInterleavings(sound)).fault).toBeNull();
    const { fault } = await searchInterleavings({ ...sound, deaths: 1 });
    expect(fault?.rule).toBe("somebody waits for ever");
  });
});
