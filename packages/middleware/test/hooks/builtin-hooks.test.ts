import { expect, it } from "vitest";
import { confirmTools, HookAction, toolAllowlist, toolBlocklist } from "../../src/index.js";
import { callOf, engineFor, toolOf } from "../support/engine-harness.js";

it("blocks the tools on a blocklist, and no other", async () => {
  const { engine } = engineFor({
    hooks: [toolBlocklist(["deploy"])],
    tools: [toolOf("deploy"), toolOf("read")],
  });
  const blocked = await engine.dispatch(callOf());
  expect(blocked.output).toBe("Tool 'deploy' is blocked by policy");
  expect(blocked.gate).toMatchObject({
    verdict: "deny",
    rule_id: "tool-blocklist",
    rule_source: "hook",
    reason: "Tool 'deploy' is blocked by policy",
  });
  expect((await engine.dispatch(callOf({ toolName: "read" }))).output).toBe("done");
});

it("blocks every tool that is not on an allowlist", async () => {
  const { engine } = engineFor({
    hooks: [toolAllowlist(["read"])],
    tools: [toolOf("deploy"), toolOf("read"), toolOf("constructor")],
  });
  const blocked = await engine.dispatch(callOf());
  expect(blocked.output).toBe("Tool 'deploy' is not in the allowlist");
  expect(blocked.gate).toMatchObject({ verdict: "deny", rule_id: "tool-allowlist", rule_source: "hook" });
  expect((await engine.dispatch(callOf({ toolName: "read" }))).output).toBe("done");
  expect((await engine.dispatch(callOf({ toolName: "constructor" }))).isError).toBe(true);
});

it("blocks all by an empty allowlist, and none by an empty blocklist", async () => {
  const nothing = engineFor({ hooks: [toolAllowlist([])] });
  expect((await nothing.engine.dispatch(callOf())).output).toBe("Tool 'deploy' is not in the allowlist");
  const everything = engineFor({ hooks: [toolBlocklist([]), confirmTools([])] });
  expect((await everything.engine.dispatch(callOf())).output).toBe("deployed");
});

it("asks before the tools that are to be confirmed, and no other", async () => {
  const prompts: string[] = [];
  const { engine } = engineFor({
    hooks: [confirmTools(new Set(["deploy"]))],
    tools: [toolOf("deploy"), toolOf("read")],
    askResolver: (prompt) => {
      prompts.push(prompt);
      return true;
    },
  });
  expect((await engine.dispatch(callOf())).output).toBe("done");
  expect((await engine.dispatch(callOf({ toolName: "read" }))).gate).toBeNull();
  expect(prompts).toEqual(["Allow tool 'deploy' to execute?"]);
});

it("keeps the list it was given, whatever becomes of the caller's", async () => {
  const tools = ["deploy"];
  const { engine } = engineFor({ hooks: [toolBlocklist(tools)] });
  tools.pop();
  expect((await engine.dispatch(callOf())).isError).toBe(true);
});

it("makes actions that are plain objects, without details where none were given", () => {
  expect(HookAction.allow()).toEqual({ kind: "allow" });
  expect(HookAction.block("no")).toEqual({ kind: "block", reason: "no" });
  expect(Object.keys(HookAction.ask("sure?"))).toEqual(["kind", "prompt"]);
  expect(HookAction.ask("sure?", { details: "why" })).toEqual({
    kind: "ask",
    prompt: "sure?",
    details: "why",
  });
});
