import {
  createGrant,
  type GrantStore,
  type JsonValue,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { expect, it } from "vitest";
import { HookAction, PermissionMiddleware, type PreToolUseHook } from "../../src/index.js";
import { callOf, engineFor, never, type Setup, turn } from "../support/engine-harness.js";

const REWRITE = { target: "/tmp" };

/** An engine whose approver approves another input than the model's. */
function rewriting(more: Setup = {}, hook: PreToolUseHook = asking()) {
  return engineFor({
    hooks: [hook],
    askResolver: {
      interactive: false,
      resolve: () => ({ resolution: "Approve", modified_input: REWRITE }),
    },
    ...more,
  });
}

/** Asks about the model's input, and says `then` of what replaced it. */
function asking(then: () => ReturnType<PreToolUseHook["preToolUse"]> = () => undefined): PreToolUseHook {
  return {
    name: "ops",
    preToolUse: ({ input }) =>
      (input as { target: string }).target === "/srv" ? HookAction.ask("sure?") : then(),
  };
}

it("shows the rewrite to the hooks once more, and blocks what they block", async () => {
  const { engine, inputs, observer } = rewriting(
    {},
    asking(() => HookAction.block("not there")),
  );
  const result = await engine.dispatch(callOf());
  expect(result).toMatchObject({ output: "not there", errorKind: "permission" });
  expect(result.gate).toMatchObject({ verdict: "deny", rule_id: "ops", rule_source: "hook" });
  expect(result.trail.map(({ verdict }) => verdict)).toEqual(["allow_modified", "deny"]);
  expect(observer.decisions).toEqual([result.gate]);
  expect(inputs).toEqual([]);
});

it("takes another question about the rewrite as answered", async () => {
  const { engine, inputs, observer } = rewriting(
    {},
    asking(() => HookAction.ask("and this?")),
  );
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "allow_modified", rule_id: "ask" });
  expect(observer.names.filter((name) => name === "ask_parked")).toHaveLength(1);
  expect(inputs).toEqual([REWRITE]);
});

it("refuses a rewrite that a remembered decision denies", async () => {
  const deny = createGrant("deploy", "Deny", { this_call: { args: REWRITE } });
  const { engine, inputs } = rewriting({ grants: new MemoryGrantStore([deny]) });
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "deny", rule_id: deny.id, rule_source: "grant" });
  expect(inputs).toEqual([]);
});

it("has the pipeline's gates judge the rewrite", async () => {
  const seen: JsonValue[] = [];
  const gate = PermissionMiddleware.fromContext().withCheck(({ input }) => {
    seen.push(input);
    return (input as { target: string }).target === "/tmp"
      ? PermissionCheck.deny("is not yours")
      : PermissionCheck.allow();
  });
  const { engine, inputs } = rewriting({ layers: [gate] });
  const result = await engine.dispatch(callOf());
  expect(result.output).toBe("Permission is not yours for tool 'deploy'");
  expect(seen).toEqual([{ target: "/srv" }, REWRITE]);
  expect(inputs).toEqual([]);
});

it("blocks a rewrite on which a hook fails", async () => {
  const { engine, errors } = rewriting(
    {},
    asking(() => {
      throw new Error("boom");
    }),
  );
  expect((await engine.dispatch(callOf())).output).toBe("hook error");
  expect(errors()).toHaveLength(1);
});

it("records that it was cancelled while a hook was judging the rewrite", async () => {
  const cancel = new AbortController();
  const { engine, inputs, observer } = rewriting({}, asking(never));
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([
    { verdict: "cancelled", rule_id: "ops", rule_source: "engine", reason: "cancelled while deciding" },
  ]);
  expect(inputs).toEqual([]);
});

it("runs the rewrite by its approval when remembered decisions cannot be read any more", async () => {
  let reads = 0;
  const store = new MemoryGrantStore();
  const failing: GrantStore = Object.assign(Object.create(store) as GrantStore, {
    find: async () => {
      reads++;
      if (reads > 2) throw new Error("down");
      return [];
    },
  });
  const { engine, inputs, errors, observer } = rewriting({ grants: failing });
  await engine.dispatch(callOf());
  expect(inputs).toEqual([REWRITE]);
  expect(errors()).toHaveLength(1);
  expect(observer.names.filter((name) => name === "ask_parked")).toHaveLength(1);
});
