import { argsDigest } from "@x/permission-core";
import { expect, it } from "vitest";
import * as z from "zod";
import {
  confirmTools,
  defineTool,
  HookAction,
  PermissionMiddleware,
  type PreToolUseHook,
} from "../../src/index.js";
import { callOf, deferred, engineFor, type Setup, toolOf, turn } from "../support/engine-harness.js";

/** An engine that counts how often a hook, a guard and a gate were consulted. */
function counting(more: Setup = {}) {
  const consulted: string[] = [];
  const hook: PreToolUseHook = { preToolUse: () => void consulted.push("hook") };
  const harness = engineFor({
    hooks: [hook],
    guards: [
      {
        name: "g",
        before() {
          consulted.push("guard");
          return null;
        },
      },
    ],
    layers: [
      PermissionMiddleware.fromContext().withCheck(() => {
        consulted.push("gate");
        return { kind: "allow" };
      }),
    ],
    ...more,
  });
  return { consulted, ...harness };
}

const typed = defineTool({
  name: "deploy",
  description: "Deploys",
  input: z.object({ target: z.string() }),
  run: () => "deployed",
});

it.each(["deplyo", "constructor", "__proto__", "toString", ""])(
  "says that there is no tool %j, and consults nobody",
  async (toolName) => {
    const { engine, consulted, observer } = counting();
    const result = await engine.dispatch(callOf({ toolName }));
    const near = toolName === "deplyo" ? "nearest known: 'deploy'" : "no name is near it";
    expect(result).toMatchObject({
      output: `Unknown tool '${toolName}'; ${near}`,
      isError: true,
      errorKind: "unknown_tool",
      gate: null,
    });
    expect(consulted).toEqual([]);
    expect(observer.names).toEqual(["tool_pre", "tool_post"]);
    expect(observer.events[1]?.event).toMatchObject({ outcome: "failed" });
  },
);

it.each(["constructor", "__proto__"])("runs a tool that is called %s", async (name) => {
  const { engine } = engineFor({ tools: [toolOf(name)] });
  expect((await engine.dispatch(callOf({ toolName: name }))).output).toBe("done");
});

it.each<[string, Setup["tools"]]>([
  ["at once", [typed]],
  ["later", [{ ...typed, parse: async () => ({ error: "target: expected string" }) }]],
])("refuses an input that its tool cannot take, %s and before anybody is consulted", async (_, tools) => {
  const { engine, consulted, observer } = counting({ tools: tools ?? [] });
  const result = await engine.dispatch(callOf({ input: { target: 1 } }));
  expect(result).toMatchObject({ isError: true, errorKind: "validation", gate: null });
  expect(result.output).toMatch(/^Invalid input for tool 'deploy': target: /);
  expect(consulted).toEqual([]);
  expect(observer.names).toEqual(["tool_pre", "tool_post"]);
});

it.each<[string, unknown, string]>([
  ["a bigint", { n: 1n }, "n"],
  ["a function", { deep: [{ f: () => {} }] }, "deep[0].f"],
  ["a lone surrogate", "\ud800", ""],
  ["undefined", undefined, ""],
  ["a date", { at: new Date(0) }, "at"],
])("denies an input that holds %s, with a record and without a digest", async (_, input, path) => {
  const { engine, consulted, gateEvent, observer, reports } = counting();
  const result = await engine.dispatch(callOf({ input } as Parameters<typeof callOf>[0]));
  expect(gateEvent()).toMatchObject({
    decision: { verdict: "deny", rule_id: "engine", rule_source: "engine", args_digest: "" },
    effective_args_digest: null,
  });
  const reason = gateEvent().decision.reason ?? "";
  expect(reason).toMatch(/^policy error: not_json at /);
  expect(reason).toContain(path);
  expect(result).toMatchObject({ output: `Permission ${reason} for tool 'deploy'`, errorKind: "permission" });
  expect(observer.events[0]?.event).toMatchObject({ args_digest: "" });
  expect(observer.events[2]?.event).toMatchObject({ outcome: "denied" });
  expect(consulted).toEqual([]);
  expect(reports).toMatchObject([
    { level: "warn", message: "tool call blocked before its gate", cause: { verdict: "deny", reason } },
  ]);
  await engine.evaluate({ toolName: "deploy", input });
  expect(reports).toHaveLength(1);
});

it("refuses text that cannot be taken at its word, and consults nobody", async () => {
  const { engine, consulted, inputs } = counting();
  for (const call of [
    { inputText: '{"target":' },
    { inputText: '{"id":9007199254740993}' },
    { inputText: '{"target":"/srv"}', input: { target: "/etc" } },
  ]) {
    const result = await engine.dispatch({ toolName: "deploy", callId: "c1", ...call });
    expect(result).toMatchObject({ isError: true, errorKind: "validation", gate: null });
  }
  expect(consulted).toEqual([]);
  expect(inputs).toEqual([]);
});

it("reads each getter of an input once: what is digested is what everybody sees and what runs", async () => {
  let reads = 0;
  const input = {
    get target() {
      reads++;
      return `/srv/${reads}`;
    },
  };
  const { engine, inputs, gateEvent } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: () => true,
  });
  await engine.dispatch(callOf({ input }));
  expect([inputs, reads]).toEqual([[{ target: "/srv/1" }], 1]);
  expect(gateEvent()).toMatchObject({
    decision: { args_digest: argsDigest({ target: "/srv/1" }) },
    effective_args_digest: argsDigest({ target: "/srv/1" }),
  });
});

const slow = deferred<undefined>();

it.each<[string, Setup]>([
  ["nothing is waited for", {}],
  ["a hook decides at once", { hooks: [{ preToolUse: () => HookAction.allow() }] }],
  ["a hook decides later", { hooks: [{ preToolUse: () => slow.promise }] }],
  ["a guard decides at once", { guards: [{ name: "g", before: () => null }] }],
  ["a guard decides later", { guards: [{ name: "g", before: () => slow.promise.then(() => null) }] }],
  [
    "a hook and a guard decide at once",
    { hooks: [{ preToolUse: () => undefined }], guards: [{ name: "g", before: () => null }] },
  ],
  [
    "a question waits",
    {
      hooks: [confirmTools(["deploy"])],
      askResolver: { interactive: false, resolve: () => slow.promise.then(() => "Approve" as const) },
    },
  ],
  [
    "a check decides later",
    {
      layers: [
        PermissionMiddleware.fromContext().withCheck(() =>
          slow.promise.then(() => ({ kind: "allow" as const })),
        ),
      ],
    },
  ],
])("runs what was digested, whatever the caller does to its input meanwhile, where %s", async (_, setup) => {
  const { engine, inputs, observer } = engineFor({ layers: [PermissionMiddleware.allowAll()], ...setup });
  const input = { target: "/srv", tags: ["a"] };
  const running = engine.dispatch(callOf({ input }));
  input.target = "/etc";
  input.tags.push("b");
  await turn();
  input.target = "/root";
  slow.resolve(undefined);
  await running;
  expect(inputs).toEqual([{ target: "/srv", tags: ["a"] }]);
  const digest = argsDigest({ target: "/srv", tags: ["a"] });
  expect(observer.decisions[0]?.args_digest ?? digest).toBe(digest);
});
