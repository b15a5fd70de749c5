import { describe, expect, it } from "vitest";
import { HookAction, type PreToolUseHook } from "../../src/index.js";
import { callOf, deferred, engineFor, never, turn } from "../support/engine-harness.js";

type Say = PreToolUseHook["preToolUse"];

const boom = () => {
  throw new Error("secret stack");
};

/** An action whose members cannot be read. */
const unreadable = () => Object.defineProperty({}, "kind", { get: boom }) as HookAction;

const FAILURES: [string, Say][] = [
  ["throws", boom],
  ["rejects", async () => boom()],
  ["gives null", () => null as unknown as HookAction],
  ["gives a boolean", () => true as unknown as HookAction],
  ["gives an unknown kind", () => ({ kind: "maybe" }) as unknown as HookAction],
  ["blocks without a reason", () => ({ kind: "block" }) as unknown as HookAction],
  ["asks without a prompt", () => ({ kind: "ask" }) as unknown as HookAction],
  [
    "asks with details that are no text",
    () => ({ kind: "ask", prompt: "?", details: 1 }) as unknown as HookAction,
  ],
  ["gives a promise of junk", async () => "allow" as unknown as HookAction],
  ["gives what cannot be read", unreadable],
  ["gives a promise of what cannot be read", async () => unreadable()],
];

describe("a hook that fails", () => {
  it.each(FAILURES)("blocks and is reported when it %s", async (_, preToolUse) => {
    const { engine, errors, inputs, reports } = engineFor({ hooks: [{ name: "h", preToolUse }] });
    const result = await engine.dispatch(callOf());
    expect(result).toMatchObject({ output: "hook error", isError: true, errorKind: "permission" });
    expect(result.gate).toMatchObject({
      verdict: "deny",
      rule_id: "h",
      rule_source: "hook",
      reason: "hook error",
    });
    expect(errors()).toEqual(["The hook 'h' failed on a call of tool 'deploy'; the call is blocked."]);
    expect(reports.filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(inputs).toEqual([]);
  });

  it("blocks when it takes longer than it may", async () => {
    const { engine, clock, errors } = engineFor({ hooks: [{ preToolUse: never }], checkTimeoutMs: 250 });
    const running = engine.dispatch(callOf());
    await turn();
    clock.advance(249);
    await turn();
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    expect((await running).gate).toMatchObject({ verdict: "deny", rule_id: "hook", reason: "hook error" });
    expect(errors()).toHaveLength(1);
    expect(clock.timerCount).toBe(0);
  });

  it("may take thirty seconds where nothing else is said", async () => {
    const answer = deferred<HookAction>();
    const { engine, clock } = engineFor({ hooks: [{ preToolUse: () => answer.promise }] });
    const running = engine.dispatch(callOf());
    await turn();
    clock.advance(29_999);
    answer.resolve(HookAction.allow());
    expect((await running).output).toBe("deployed");
  });

  it("is heard no more after its time, whatever it says", async () => {
    const answer = deferred<HookAction>();
    const { engine, clock, inputs } = engineFor({ hooks: [{ preToolUse: () => answer.promise }] });
    const running = engine.dispatch(callOf());
    await turn();
    clock.advance(30_000);
    await running;
    answer.reject(new Error("too late"));
    await turn();
    expect(inputs).toEqual([]);
  });

  it("weighs as much as a block: an ask of another hook is not put", async () => {
    const { engine, observer } = engineFor({
      hooks: [{ preToolUse: () => HookAction.ask("sure?") }, { name: "h", preToolUse: boom }],
      askResolver: { interactive: false, resolve: () => "Approve" },
    });
    expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", rule_id: "h" });
    expect(observer.names).not.toContain("ask_parked");
  });
});
