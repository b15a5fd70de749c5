import { describe, expect, it } from "vitest";
import { hasEnded, type Owner, type ProcessState, parseOwner } from "../../src/ledger/owner.js";
import { lookAtProcess, thisProcess } from "../../src/ledger/this-process.js";

const self: Owner = {
  pid: 10,
  started: "500",
  boot: "b1",
  machine: "m1",
  pid_namespace: "pid:[1]",
  host: "h1",
  nonce: "6f1e0a52-6a9e-4c5b-9a57-000000000001",
};
const other: Owner = { ...self, pid: 20, started: "700", nonce: "6f1e0a52-6a9e-4c5b-9a57-000000000002" };
const nobody = { boot: null, machine: null, pid_namespace: null, started: null };

describe("an owner", () => {
  it.each<[string, Partial<Owner>, Partial<Owner>, ProcessState, boolean]>([
    ["lives while its process does", {}, {}, { exists: true, started: "700" }, false],
    ["has ended once nobody has its pid", {}, {}, { exists: false, started: null }, true],
    ["has ended where another process has its pid", {}, {}, { exists: true, started: "701" }, true],
    ["lives where the start of the process cannot be read", {}, {}, { exists: true, started: null }, false],
    ["has ended with the start of the machine", { boot: "b0" }, {}, { exists: true, started: "700" }, true],
    [
      "may live on another machine",
      { boot: "b0", machine: "m0" },
      {},
      { exists: false, started: null },
      false,
    ],
    [
      "may live where no machine tells which it is",
      { boot: "b0", machine: null },
      { machine: null },
      { exists: false, started: null },
      false,
    ],
    [
      "may live in another pid namespace",
      { pid_namespace: "pid:[2]" },
      {},
      { exists: false, started: null },
      false,
    ],
    [
      "has ended where only its pid is known, and nobody has it",
      nobody,
      nobody,
      { exists: false, started: null },
      true,
    ],
    [
      "may live where only its pid is known, and somebody has it",
      nobody,
      nobody,
      { exists: true, started: null },
      false,
    ],
    [
      "may live on another host, where only its pid is known",
      { ...nobody, host: "h0" },
      nobody,
      { exists: false, started: null },
      false,
    ],
    [
      "may live where only it, or only we, know the boot",
      { boot: null },
      {},
      { exists: false, started: null },
      false,
    ],
  ])("%s", (_, owner, seenBy, state, ended) => {
    expect(hasEnded({ ...other, ...owner }, { ...self, ...seenBy }, () => state)).toBe(ended);
  });

  it.each([
    ["text", "x"],
    ["null", "null"],
    ["no pid", JSON.stringify({ ...self, pid: "10" })],
    ["no nonce", JSON.stringify({ ...self, nonce: undefined })],
    ["a nonce that leads elsewhere", JSON.stringify({ ...self, nonce: "/../victim.json" })],
    ["a nonce that no name can hold", JSON.stringify({ ...self, nonce: `${self.nonce}\0` })],
    ["a nonce that is too long for a name", JSON.stringify({ ...self, nonce: "a".repeat(300) })],
    ["a nonce with an end of line", JSON.stringify({ ...self, nonce: `${self.nonce}\n` })],
    ["a boot that is a number", JSON.stringify({ ...self, boot: 1 })],
  ])("is not read from %s", (_, text) => {
    expect(parseOwner(text)).toBeNull();
    expect(parseOwner(JSON.stringify(self))).toEqual(self);
  });
});

describe("this process", () => {
  it("lives", () => {
    const owner = { ...thisProcess(), nonce: "n" };
    expect(hasEnded(owner, { ...owner, nonce: "m" }, lookAtProcess)).toBe(false);
  });

  it("is told from one that had its pid before", () => {
    const owner = { ...thisProcess(), nonce: "n" };
    if (owner.started === null) return;
    expect(hasEnded({ ...owner, started: "1" }, owner, lookAtProcess)).toBe(true);
  });
});
