import { canonicalJson, isPermissionGateError, type JsonValue, PermissionCheck } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, success, type ToolDispatchResult } from "../../src/dispatch-result.js";
import { LAYER_ROLE, roleOf } from "../../src/layers/layer-role.js";
import { MemoizeMiddleware, type MemoizeOptions } from "../../src/layers/memoize-middleware.js";
import type { ToolErrorKind } from "../../src/tool.js";
import type { ToolDispatchContext } from "../../src/tool-middleware.js";

interface Call {
  input?: JsonValue;
  toolName?: string;
  description?: string;
  inputSchema?: JsonValue;
  readOnly?: boolean;
  sessionId?: string;
  callId?: string;
  signal?: AbortSignal;
  tool?: null;
}

function contextOf(call: Call): ToolDispatchContext {
  const { input = {}, toolName = "t", callId = "c", sessionId = "s", readOnly = true } = call;
  const { description = "", inputSchema = {}, signal = new AbortController().signal } = call;
  return {
    toolName,
    input,
    callId,
    turn: 0,
    argsDigest: "0".repeat(16),
    tool: call.tool === null ? null : { name: toolName, description, inputSchema, readOnly },
    toolContext: { sessionId, runId: "r", isNonInteractive: false, signal },
    signal,
    permission: PermissionCheck.allow(),
    tighten: () => {},
  };
}

/** A layer over a tool that counts its runs and gives what it is told, by default the number of the run. */
function rig(options: Omit<MemoizeOptions, "clock"> = {}) {
  const clock = new ManualClock();
  const layer = new MemoizeMiddleware({ ...options, clock });
  let runs = 0;
  const dispatch = (
    call: Call = {},
    give?: (context: ToolDispatchContext) => Promise<ToolDispatchResult>,
  ) => {
    const context = contextOf(call);
    return layer.dispatch(context, async () => {
      runs += 1;
      return give === undefined ? success(context.callId, `run ${runs}`, 5) : give(context);
    });
  };
  return { clock, layer, dispatch, runs: () => runs };
}

describe("MemoizeMiddleware", () => {
  it("serves the same call again as cached, without duration, under the new call's id", async () => {
    const { dispatch, runs } = rig();
    expect(await dispatch({ callId: "one", input: { a: 1, b: 2 } })).toEqual(success("one", "run 1", 5));
    expect(await dispatch({ callId: "two", input: { b: 2, a: 1 } })).toEqual({
      ...success("two", "run 1", 0),
      cached: true,
    });
    expect(runs()).toBe(1);
  });

  it("brings no record with a hit, whatever the result that was kept carried", async () => {
    const { dispatch } = rig({ unsafeOutsideGate: true });
    const gate = {
      tool: "t",
      args_digest: "0".repeat(16),
      verdict: "ask_allowed",
      rule_id: "ask",
      rule_source: "ask_resolver",
      matched_pattern: null,
      reason: null,
      ts: 0,
    } as const;
    await dispatch({}, async () => ({ ...success("c", "x", 1), gate, trail: [gate] }));
    expect(await dispatch()).toMatchObject({ cached: true, gate: null, trail: [] });
  });

  it.each<[string, Call]>([
    ["session", { sessionId: "other" }],
    ["tool", { toolName: "other" }],
    ["input", { input: { a: 1 } }],
    ["description", { description: "It does something else now." }],
    ["schema", { inputSchema: { type: "object" } }],
  ])("runs a call whose %s differs", async (_, differing) => {
    const { dispatch, runs } = rig();
    await dispatch();
    expect(await dispatch(differing)).toMatchObject({ cached: false });
    expect(runs()).toBe(2);
  });

  it("keeps apart sessions and tools whose names join to the same", async () => {
    const { dispatch } = rig();
    await dispatch({ sessionId: 'a","b', toolName: "c" });
    expect(await dispatch({ sessionId: "a", toolName: 'b","c' })).toMatchObject({ cached: false });
  });

  it.each<[string, Call]>([
    ["a tool that is not read-only", { readOnly: false }],
    ["a call without a tool", { tool: null }],
    ["an input that is no JSON", { input: Number.NaN }],
    ["a schema that is no JSON", { inputSchema: Number.NaN }],
  ])("passes over %s", async (_, call) => {
    const { dispatch, runs } = rig();
    await dispatch(call);
    expect(await dispatch(call)).toMatchObject({ cached: false });
    expect(runs()).toBe(2);
  });

  it.each<ToolErrorKind>(["permission", "validation", "tool", "timeout", "cancelled", "guard"])(
    "keeps no failure of kind %s",
    async (kind) => {
      const { dispatch } = rig();
      await dispatch({}, async ({ callId }) => failure(callId, kind, "no"));
      expect(await dispatch()).toMatchObject({ cached: false, output: "run 2" });
    },
  );

  it.each<[string, unknown]>([
    ["a date", new Date(0)],
    ["a function within", { run: () => {} }],
    ["a bigint", 1n],
    ["undefined", undefined],
    ["a class instance", new Map([["a", 1]])],
  ])("passes on an output that is no JSON as it is, and keeps none of it: %s", async (_, output) => {
    const { dispatch } = rig();
    const give = async () => ({ ...success("c", null, 1), output: output as JsonValue });
    expect((await dispatch({}, give)).output).toBe(output);
    expect(await dispatch()).toMatchObject({ cached: false, output: "run 2" });
  });

  it("copies outputs in and out: whoever changes one changes no other", async () => {
    const { dispatch } = rig();
    const first = await dispatch({}, async () => success("c", { list: [1] }, 1));
    (first.output as { list: number[] }).list.push(2);
    const second = await dispatch();
    expect(second.output).toEqual({ list: [1] });
    (second.output as { list: number[] }).list.push(3);
    expect((await dispatch()).output).toEqual({ list: [1] });
  });

  it("goes by the input as it stood when the call came, whatever happened to it inside", async () => {
    const { layer } = rig();
    const context = contextOf({ input: { a: 1 } });
    await layer.dispatch(context, async () => {
      context.input = { a: 2 };
      return success("c", "for a = 1", 1);
    });
    const run = (a: number) =>
      layer.dispatch(contextOf({ input: { a } }), async () => success("c", "ran", 1));
    expect(await run(1)).toMatchObject({ cached: true, output: "for a = 1" });
    expect(await run(2)).toMatchObject({ cached: false });
  });

  it("serves an output for its time to live, counted from when it was kept, and not a millisecond more", async () => {
    const { clock, dispatch } = rig({ ttlMs: 1_000 });
    await dispatch({}, async ({ callId }) => {
      clock.advance(500);
      return success(callId, "slow", 500);
    });
    clock.advance(999);
    expect(await dispatch()).toMatchObject({ cached: true });
    clock.advance(1);
    expect(await dispatch()).toMatchObject({ cached: false });
  });

  it("does not serve an output longer because the clock was set back", async () => {
    const { clock, dispatch } = rig({ ttlMs: 1_000 });
    await dispatch();
    clock.set(clock.now() - 10_000);
    expect(await dispatch()).toMatchObject({ cached: false });
  });

  it("displaces the output used longest ago once it is full", async () => {
    const { dispatch } = rig({ maxEntries: 2 });
    await dispatch({ input: "a" });
    await dispatch({ input: "b" });
    await dispatch({ input: "a" });
    await dispatch({ input: "c" });
    expect(await dispatch({ input: "a" })).toMatchObject({ cached: true });
    expect(await dispatch({ input: "c" })).toMatchObject({ cached: true });
    expect(await dispatch({ input: "b" })).toMatchObject({ cached: false });
  });

  it("hands a cancelled call on instead of serving it, and keeps nothing of a call cancelled while it ran", async () => {
    const { dispatch, runs } = rig();
    const controller = new AbortController();
    await dispatch({ signal: controller.signal }, async ({ callId }) => {
      controller.abort();
      return success(callId, "half", 1);
    });
    expect(await dispatch()).toMatchObject({ cached: false, output: "run 2" });
    await dispatch({ signal: AbortSignal.abort() });
    expect(runs()).toBe(3);
  });

  it("keeps nothing of what another cache served, which would make it last longer", async () => {
    const { dispatch } = rig();
    await dispatch({}, async ({ callId }) => ({ ...success(callId, "old", 0), cached: true }));
    expect(await dispatch()).toMatchObject({ cached: false });
  });

  it("lets what a layer within throws pass through, and keeps nothing", async () => {
    const { dispatch } = rig();
    const broken = dispatch({}, async () => {
      throw new Error("broken layer");
    });
    await expect(broken).rejects.toThrow("broken layer");
    expect(await dispatch()).toMatchObject({ cached: false });
  });

  it("takes no part in dry runs", () => {
    expect("evaluate" in new MemoizeMiddleware()).toBe(false);
  });

  it("says what it is under a key that every copy of this package shares", () => {
    const layer = new MemoizeMiddleware();
    expect(roleOf(layer)).toBe("memoize");
    expect(LAYER_ROLE).toBe(Symbol.for("@x/middleware/layer-role"));
    expect(layer.unsafeOutsideGate).toBe(false);
    expect(new MemoizeMiddleware({ unsafeOutsideGate: true }).unsafeOutsideGate).toBe(true);
    const plain = {
      name: "plain",
      dispatch: (_: unknown, next: () => Promise<ToolDispatchResult>) => next(),
    };
    expect(roleOf(plain)).toBeNull();
    expect(roleOf({ ...plain, [LAYER_ROLE]: "gate" } as typeof plain)).toBe("gate");
    expect(roleOf({ ...plain, [LAYER_ROLE]: "other" } as typeof plain)).toBeNull();
  });

  it.each<MemoizeOptions>([
    { ttlMs: 0 },
    { ttlMs: -1 },
    { ttlMs: Number.NaN },
    { maxEntries: 0 },
    { maxEntries: 2.5 },
    { maxEntries: Number.POSITIVE_INFINITY },
    { unsafeOutsideGate: "yes" as unknown as boolean },
  ])("refuses the options %j", (options) => {
    expect(() => new MemoizeMiddleware(options)).toThrow(
      expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")),
    );
  });

  it("never serves one input's output for another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (inputs) => {
        const { dispatch } = rig({ maxEntries: 5 });
        for (const input of inputs as JsonValue[]) {
          const { output } = await dispatch({ input }, async ({ callId }) => success(callId, [input], 1));
          expect(canonicalJson(output)).toBe(canonicalJson([input]));
        }
      }),
    );
  });
});
