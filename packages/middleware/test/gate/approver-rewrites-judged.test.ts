import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { HookAction, PermissionMiddleware, type PreToolUseHook } from "../../src/index.js";
import { deferred, gateRig, recordOf, turn } from "../support/gate-rig.js";
import { approving, engineRig, gateAnswered, MODIFIED } from "../support/rewrite-rig.js";

describe("an approver's own input is judged again", () => {
  it("by the same check, whose denial refuses", async () => {
    const { invoke, inputs } = gateRig(gateAnswered({ path: "/etc/passwd" }));
    const result = await invoke();
    const denial = recordOf("deny", "own", "middleware", "etc is off limits");
    expect(result.trail).toEqual([MODIFIED, denial]);
    expect(result.gate).toEqual(denial);
    expect(result.output).toBe("Permission etc is off limits for tool 't'");
    expect(inputs).toEqual([]);
  });

  it("by the same check, whose second question counts as answered", async () => {
    const resolver = scriptedResolver([approving({ path: "/b" })]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("run?"))
      .withAskResolver(resolver);
    const { invoke, inputs } = gateRig(gate);
    expect((await invoke()).trail).toEqual([MODIFIED]);
    expect(resolver.asks).toHaveLength(1);
    expect(inputs).toEqual([{ path: "/b" }]);
  });

  it("by the same check, whose rewrite runs", async () => {
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", ({ input }) =>
        (input as { path: string }).path === "/b"
          ? PermissionCheck.modify({ path: "/c" })
          : PermissionCheck.ask("run?"),
      )
      .withAskResolver(scriptedResolver([approving({ path: "/b" })]));
    const { invoke, inputs } = gateRig(gate);
    expect((await invoke()).trail).toEqual([MODIFIED, recordOf("allow_modified", "own", "middleware")]);
    expect(inputs).toEqual([{ path: "/c" }]);
  });

  it("by the same check, which fails closed when it throws", async () => {
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", async ({ input }) => {
        if ((input as { path: string }).path === "/b") throw new Error("cannot judge this");
        return PermissionCheck.ask("run?");
      })
      .withAskResolver(scriptedResolver([approving({ path: "/b" })]));
    const { invoke, inputs } = gateRig(gate);
    expect((await invoke()).gate).toEqual(recordOf("deny", "own", "engine", "policy error"));
    expect(inputs).toEqual([]);
  });

  it("by deny grants", async () => {
    const deny = createGrant("t", "Deny", { this_call: { args: { path: "/b" } } });
    const gate = gateAnswered({ path: "/b" }).withGrants(new MemoryGrantStore([deny]));
    const { invoke, inputs } = gateRig(gate);
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", deny.id, "grant", "denied by a remembered decision"));
    expect(result.trail[0]).toEqual(MODIFIED);
    expect(inputs).toEqual([]);
  });

  it("by hooks, whose block refuses under the hook's name", async () => {
    const hook: PreToolUseHook = {
      name: "no-b",
      preToolUse: ({ input }) =>
        JSON.stringify(input).includes("/b") ? HookAction.block("b is blocked") : HookAction.allow(),
    };
    const { dispatch, inputs } = engineRig(gateAnswered({ path: "/b" }), [hook]);
    const result = await dispatch();
    expect(result.gate).toMatchObject({
      verdict: "deny",
      rule_id: "no-b",
      rule_source: "hook",
      reason: "b is blocked",
    });
    expect(inputs).toEqual([]);
  });

  it("by hooks, whose question counts as answered", async () => {
    const hook: PreToolUseHook = {
      preToolUse: ({ input }) =>
        JSON.stringify(input).includes("/b") ? HookAction.ask("really?") : HookAction.allow(),
    };
    const { dispatch, inputs } = engineRig(gateAnswered({ path: "/b" }), [hook]);
    expect((await dispatch()).gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([{ path: "/b" }]);
  });

  it.each<[string, () => { gate: PermissionMiddleware; hooks: PreToolUseHook[] }, string]>([
    [
      "a hook",
      () => ({
        gate: gateAnswered({ path: "/b" }),
        hooks: [
          {
            name: "slow",
            preToolUse: ({ input }) =>
              JSON.stringify(input).includes("/b") ? new Promise(() => {}) : HookAction.allow(),
          },
        ],
      }),
      "slow",
    ],
    [
      "the check",
      () => ({
        gate: PermissionMiddleware.fromContext()
          .withNamedCheck("own", ({ input }) =>
            JSON.stringify(input).includes("/b") ? new Promise<never>(() => {}) : PermissionCheck.ask("run?"),
          )
          .withAskResolver(scriptedResolver([approving({ path: "/b" })])),
        hooks: [],
      }),
      "own",
    ],
  ])("and a cancel while %s is pending is recorded as that", async (_, build, ruleId) => {
    const { gate, hooks } = build();
    const cancel = new AbortController();
    const { dispatch, inputs, events } = engineRig(gate, hooks);
    const running = dispatch(cancel.signal);
    const rejected = expect(running).rejects.toMatchObject({ code: "run_cancelled" });
    await turn();
    cancel.abort();
    await rejected;
    expect(events.map(({ decision }) => decision)).toEqual([
      expect.objectContaining({
        verdict: "cancelled",
        rule_id: ruleId,
        rule_source: "engine",
        reason: "cancelled while deciding",
      }),
    ]);
    expect(inputs).toEqual([]);
  });

  it("and a cancel while deny grants are looked up is recorded as that", async () => {
    const store = new MemoryGrantStore();
    const lookUp = deferred<never>();
    let finds = 0;
    const slow = {
      load: () => store.load(),
      save: store.save.bind(store),
      revoke: store.revoke.bind(store),
      clear: () => store.clear(),
      find: () => (++finds > 2 ? lookUp.promise : Promise.resolve([])),
    };
    const cancel = new AbortController();
    const { invoke, inputs } = gateRig(gateAnswered({ path: "/b" }).withGrants(slow));
    const running = invoke({ signal: cancel.signal });
    await turn();
    expect(finds).toBe(3);
    cancel.abort();
    const result = await running;
    expect(result.gate).toEqual(recordOf("cancelled", "own", "engine", "cancelled while deciding"));
    expect(inputs).toEqual([]);
  });
});
