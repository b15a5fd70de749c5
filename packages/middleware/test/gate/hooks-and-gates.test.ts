import { type AskAnswer, createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { ManualClock, scriptedResolver, sequentialIds } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import {
  type EngineOptions,
  HookAction,
  PermissionMiddleware,
  type PreToolUseHook,
  ToolEngine,
  type ToolMiddleware,
  ToolPipeline,
} from "../../src/index.js";
import { gateSaying, policyDecision, stubPolicy } from "../support/gate-rig.js";

/** An engine round these layers and a tool `t` that keeps its inputs. */
function engineRig(
  layers: ToolMiddleware | readonly ToolMiddleware[],
  options: Omit<EngineOptions, "pipeline"> = {},
) {
  const inputs: unknown[] = [];
  const call = (input: unknown) => {
    inputs.push(input);
    return "ran";
  };
  const builder = ToolPipeline.builder({
    clock: new ManualClock(),
    ids: sequentialIds(),
    onReport: () => {},
  }).withCore([{ name: "t", description: "", inputSchema: {}, call }]);
  for (const layer of [layers].flat() as ToolMiddleware[]) builder.withMiddleware(layer);
  const engine = new ToolEngine({ pipeline: builder.build(), ...options });
  const dispatch = (input: unknown = { a: 1 }) => engine.dispatch({ toolName: "t", callId: "c1", input });
  return { engine, dispatch, inputs };
}

const asking: PreToolUseHook = { name: "confirm", preToolUse: () => HookAction.ask("run?") };

it("[CASE-059] a hook that asks switches no deny rule off, and nobody is asked in vain", async () => {
  const policy = stubPolicy(({ call }) =>
    String(call.input).startsWith("uname")
      ? policyDecision("deny", {
          rule: { scope: "user", tool: "Bash", pattern: "uname:*", effect: "deny" },
          reason: "uname is off",
        })
      : policyDecision("allow"),
  );
  const resolver = scriptedResolver(["Approve"]);
  const gate = PermissionMiddleware.fromContext().withPolicy(policy);
  const { dispatch, engine, inputs } = engineRig(gate, { hooks: [asking], askResolver: resolver });
  const denied = { verdict: "deny", rule_id: "user:Bash(uname:*)", reason: "uname is off" };
  expect(await engine.evaluate({ toolName: "t", input: "uname -a" })).toMatchObject(denied);
  expect((await dispatch("uname -a")).gate).toMatchObject(denied);
  expect(resolver.asks).toEqual([]);
  expect(inputs).toEqual([]);
});

describe("a gate inside an engine", () => {
  const ask = () => gateSaying(PermissionCheck.ask("gate asks"));

  it("puts its question to the engine's resolver where it has none, and to its own where it has one", async () => {
    const engines = scriptedResolver(["Approve", "Approve"]);
    const own = scriptedResolver(["Approve"]);
    await engineRig(ask(), { askResolver: engines }).dispatch();
    expect(engines.asks.map(({ prompt }) => prompt)).toEqual(["gate asks"]);
    await engineRig(ask().withAskResolver(own), { askResolver: engines }).dispatch();
    expect([engines.asks.length, own.asks.length]).toEqual([1, 1]);
  });

  it("waits as long as the engine says where it does not say itself", async () => {
    const resolver = scriptedResolver(["Approve", "Approve"]);
    await engineRig(ask(), { askResolver: resolver, askTimeoutMs: 7 }).dispatch();
    await engineRig(ask().withAskTimeout(9), { askResolver: resolver, askTimeoutMs: 7 }).dispatch();
    const now = new ManualClock().now();
    expect(resolver.asks.map((each) => each.expires_at_ms)).toEqual([now + 7, now + 9]);
  });

  it("finds and saves in the engine's store where it has none, offering the tools that the engine names", async () => {
    const store = new MemoryGrantStore();
    const answer: AskAnswer = { resolution: "Approve", remember: "this_tool" };
    const resolver = scriptedResolver([answer]);
    const { dispatch } = engineRig(ask(), { askResolver: resolver, grants: store, rememberTools: ["t"] });
    expect((await dispatch()).gate?.verdict).toBe("ask_allowed");
    expect(await store.load()).toHaveLength(1);
    expect((await dispatch()).gate?.rule_source).toBe("grant");
  });

  it("meets a denial that was remembered while a hook's question waited", async () => {
    const store = new MemoryGrantStore();
    const resolver = scriptedResolver([
      async (): Promise<"Approve"> => {
        await store.save(createGrant("t", "Deny", "this_tool"));
        return "Approve";
      },
    ]);
    const { dispatch, inputs } = engineRig(PermissionMiddleware.allowAll(), {
      hooks: [asking],
      askResolver: resolver,
      grants: store,
    });
    expect((await dispatch()).gate?.verdict).toBe("deny");
    expect(inputs).toEqual([]);
  });

  it("does not look an input up again that the engine just looked up, and nobody touched", async () => {
    let finds = 0;
    const store = Object.assign(new MemoryGrantStore(), {
      find: async () => {
        finds++;
        return [];
      },
    });
    const { dispatch } = engineRig(PermissionMiddleware.allowAll(), { grants: store });
    expect((await dispatch()).output).toBe("ran");
    expect(finds).toBe(1);
  });

  it("asks once for one failure of the store that it shares with the engine", async () => {
    const store = Object.assign(new MemoryGrantStore(), { find: () => Promise.reject(new Error("gone")) });
    const resolver = scriptedResolver(["Approve"]);
    const { dispatch } = engineRig(PermissionMiddleware.allowAll(), { askResolver: resolver, grants: store });
    expect((await dispatch()).output).toBe("ran");
    expect(resolver.asks).toHaveLength(1);
  });

  it("looks the engine's store up again for an input that a layer outside has replaced or changed in place", async () => {
    const denied = createGrant("t", "Deny", { this_call: { args: { path: "/safe" } } });
    const changing: ToolMiddleware = {
      name: "changing",
      dispatch(context, next) {
        Object.assign(context.input as object, { path: "/safe" });
        return next();
      },
    };
    for (const outer of [gateSaying(PermissionCheck.modify({ path: "/safe" })), changing]) {
      const { dispatch, inputs } = engineRig([outer, PermissionMiddleware.allowAll()], {
        grants: new MemoryGrantStore([denied]),
      });
      expect((await dispatch({ path: "/a" })).gate).toMatchObject({ verdict: "deny", rule_id: denied.id });
      expect(inputs).toEqual([]);
    }
  });
});
