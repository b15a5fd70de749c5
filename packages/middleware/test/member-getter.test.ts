import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../src/index.js";
import { memberGetter } from "../src/member-getter.js";
import { gateRig } from "./support/gate-rig.js";

class Lazy {
  made = 0;

  constructor() {
    Object.defineProperty(this, "value", memberGetter(Lazy.prototype, "value"));
  }

  get value(): number {
    return ++this.made;
  }
}

describe("memberGetter", () => {
  it("makes a member that a copy has too, and that is made when it is read", () => {
    const lazy = new Lazy();
    expect(lazy.made).toBe(0);
    expect({ ...lazy }).toEqual({ made: 0, value: 1 });
  });

  it("refuses what is no getter of the class", () => {
    expect(() => memberGetter(Lazy.prototype, "made")).toThrow("The class has no getter 'made'.");
  });
});

it("gives a tool a context whose copies have the call's signal", async () => {
  const copies: object[] = [];
  const call = (_: unknown, context: object) => void copies.push({ ...context });
  const { invoke } = gateRig(PermissionMiddleware.allowAll(), { tool: { call } });
  const { signal } = new AbortController();
  const toolContext = { sessionId: "s", runId: "r", agent: "main", isNonInteractive: true };
  await invoke({ signal, toolContext });
  await invoke({ toolContext: { sessionId: "s", runId: "r" } });
  expect(copies).toEqual([
    { ...toolContext, signal },
    { sessionId: "s", runId: "r", isNonInteractive: false, signal: expect.any(AbortSignal) },
  ]);
  expect((copies[0] as { signal: AbortSignal }).signal).toBe(signal);
});
