import { PermissionCheck } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import {
  MemoizeMiddleware,
  PermissionMiddleware,
  TimeoutMiddleware,
  type Tool,
  type ToolDispatchContext,
  type ToolMiddleware,
  ToolPermissionError,
  ToolPipeline,
} from "../../src/index.js";
import { deferred, gateRig, recordOf, turn } from "../support/gate-rig.js";

const SECRET = "the database password is hunter2";
const LAYER_TEXT = "Tool 't' failed: a layer around it threw an error";
const layer = (dispatch: ToolMiddleware["dispatch"]): ToolMiddleware => ({ name: "custom", dispatch });

describe("a layer that fails gives an error result", () => {
  const FAILURES: readonly [string, ToolMiddleware["dispatch"]][] = [
    [
      "throws",
      () => {
        throw new Error(SECRET);
      },
    ],
    ["rejects", () => Promise.reject(new Error(SECRET))],
    ["gives nothing", () => undefined as never],
    ["promises nothing", async () => undefined as never],
    ["gives what is no result", async () => ({ secret: SECRET }) as never],
  ];
  it.each(FAILURES)("when it %s, outside, between and inside gates", async (_, dispatch) => {
    const gates = [PermissionMiddleware.allowAll(), PermissionMiddleware.allowAll()] as const;
    for (const [position, records] of [
      [0, 0],
      [1, 1],
      [2, 2],
    ] as const) {
      const layers: ToolMiddleware[] = [gates[0], gates[1]];
      layers.splice(position, 0, layer(dispatch));
      const { invoke, inputs, errors } = gateRig(layers);
      const result = await invoke();
      expect(result).toMatchObject({ callId: "c1", output: LAYER_TEXT, isError: true, errorKind: "tool" });
      expect(result.trail).toHaveLength(records);
      expect(JSON.stringify(result)).not.toContain("hunter2");
      expect(inputs).toEqual([]);
      expect(errors()).toHaveLength(1);
    }
  });

  it.each<[string, ToolMiddleware]>([
    ["a timeout", new TimeoutMiddleware(10)],
    ["a cache", new MemoizeMiddleware({ unsafeOutsideGate: true })],
  ])("also through %s", async (_, outer) => {
    const broken = layer(() => Promise.reject(new Error(SECRET)));
    const { invoke, clock } = gateRig([outer, PermissionMiddleware.allowAll(), broken], {
      tool: { readOnly: true },
    });
    expect(await invoke()).toMatchObject({
      output: LAYER_TEXT,
      gate: recordOf("allow", "middleware", "middleware"),
    });
    expect(clock.timerCount).toBe(0);
  });

  it("and a layer may catch what an inner one threw", async () => {
    const catching = layer(async (context, next) => {
      try {
        return await next();
      } catch {
        return {
          callId: context.callId,
          output: "caught",
          isError: true,
          errorKind: "tool",
          durationMs: 0,
          cached: false,
          gate: null,
          trail: [],
        };
      }
    });
    const broken = layer(() => {
      throw new Error(SECRET);
    });
    expect((await gateRig([catching, broken]).invoke()).output).toBe("caught");
  });

  it("and so does a layer that replaces the input by what JSON cannot hold", async () => {
    const replacing = layer((context, next) => {
      context.input = new Date(0) as never;
      return next();
    });
    for (const inside of [
      [],
      [PermissionMiddleware.fromContext().withCheck(async () => PermissionCheck.allow())],
    ]) {
      const { invoke, inputs } = gateRig([PermissionMiddleware.allowAll(), replacing, ...inside]);
      expect((await invoke()).isError).toBe(true);
      expect(inputs).toEqual([]);
    }
  });
});

describe("a layer of the host's own", () => {
  it("may give its result without a promise", async () => {
    const answering = layer(
      ({ callId }) =>
        ({
          callId,
          output: "answered",
          isError: false,
          errorKind: null,
          durationMs: 0,
          cached: false,
          gate: null,
          trail: [],
        }) as never,
    );
    expect((await gateRig([answering, PermissionMiddleware.allowAll()]).invoke()).output).toBe("answered");
  });

  it("that gives up while a gate inside still asks leaves that ask expired, and nothing runs", async () => {
    const answer = deferred<boolean>();
    const impatient = layer(async ({ callId }, next) => {
      void next();
      await turn();
      return {
        callId,
        output: "gave up",
        isError: true,
        errorKind: "tool",
        durationMs: 0,
        cached: false,
        gate: null,
        trail: [],
      };
    });
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", () => PermissionCheck.ask("run?"))
      .withAskResolver(() => answer.promise);
    const { invoke, inputs } = gateRig([impatient, gate]);
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("ask_expired", "own", "engine", "ask expired unanswered"));
    answer.resolve(true);
    await turn();
    expect(inputs).toEqual([]);
  });

  it("cannot run the tool once the dispatch is over", async () => {
    const later: (() => Promise<unknown>)[] = [];
    const keeping = layer(async ({ callId }, next) => {
      later.push(next);
      return {
        callId,
        output: "done",
        isError: false,
        errorKind: null,
        durationMs: 0,
        cached: false,
        gate: null,
        trail: [],
      };
    });
    const { invoke, inputs } = gateRig([keeping, PermissionMiddleware.allowAll()]);
    const result = await invoke();
    await later[0]?.();
    expect(inputs).toEqual([]);
    expect(result).toMatchObject({ gate: null, trail: [] });
  });

  it("sees the call as it is, and cannot change its digest", async () => {
    const seen: Partial<ToolDispatchContext>[] = [];
    const watching = layer((context, next) => {
      const { toolName, callId, turn, argsDigest } = context;
      seen.push({ toolName, callId, turn, argsDigest });
      expect(() => Object.assign(context, { argsDigest: "forged" })).toThrow(TypeError);
      return next();
    });
    const result = await gateRig([watching, PermissionMiddleware.allowAll()]).invoke({ turn: 2 });
    expect(seen).toEqual([{ toolName: "t", callId: "c1", turn: 2, argsDigest: result.gate?.args_digest }]);
  });
});

describe("a tool that fails gives an error result with its message", () => {
  const thrown = (error: unknown, later: boolean): Partial<Tool> => ({
    call() {
      if (later) return Promise.reject(error);
      throw error;
    },
  });
  it.each<[unknown, string, string]>([
    [new Error("no such file"), "tool", "Tool 't' failed: no such file"],
    ["plain text", "tool", "Tool 't' failed: plain text"],
    [undefined, "tool", "Tool 't' failed: undefined"],
    [new ToolPermissionError("not allowed here"), "permission", "not allowed here"],
  ])("when it throws %s, at once or later", async (error, errorKind, output) => {
    for (const later of [false, true]) {
      const result = await gateRig(PermissionMiddleware.allowAll(), { tool: thrown(error, later) }).invoke();
      expect(result).toMatchObject({ output, errorKind, isError: true, gate: { verdict: "allow" } });
    }
  });

  it("and undefined counts as null", async () => {
    for (const call of [() => undefined, async () => undefined]) {
      expect((await gateRig(PermissionMiddleware.allowAll(), { tool: { call } }).invoke()).output).toBeNull();
    }
  });

  it("and how long it took is told by the pipeline's clock", async () => {
    const clock = new ManualClock();
    const pipeline = ToolPipeline.builder({ clock, onReport: () => {} })
      .withCore([{ name: "t", description: "", inputSchema: {}, call: async () => clock.advance(7) }])
      .withMiddleware(PermissionMiddleware.allowAll())
      .build();
    expect((await pipeline.invoke({ toolName: "t", callId: "c", input: null })).durationMs).toBe(7);
  });
});

it("reports that throw change nothing: refusals stay refusals, and invoke does not throw", async () => {
  const pipeline = ToolPipeline.builder({
    onReport() {
      throw new Error("the log is full");
    },
  })
    .withCore([{ name: "t", description: "", inputSchema: {}, call: () => "ran" }])
    .withMiddleware(PermissionMiddleware.denyAll())
    .build();
  expect((await pipeline.invoke({ toolName: "t", callId: "c", input: null })).gate?.verdict).toBe("deny");
});
