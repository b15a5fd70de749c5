import { PermissionMiddleware, type Tool, ToolEngine, ToolPipeline, ToolRegistry } from "@x/middleware";
import type { AskAnswer, AskResolver, PermissionMode } from "@x/permission-core";
import { memoryWorkspace, scriptedResolver } from "@x/permission-core/testing";
import { autoApproveInIsolation, createChildPolicy, definePermissions, RulePolicy } from "@x/policy";
import { describe, expect, it } from "vitest";

const RULES = definePermissions({
  allow: ["Bash(ls:*)", "Bash(go test:*)", "Bash(git rev-parse:*)"],
  ask: [{ rule: "Bash(git push:*)", reason: "pushes are looked at first" }],
  deny: ["Bash(rm:*)", "Read(secret/**)"],
});

interface Setting {
  policy?: RulePolicy;
  askResolver?: AskResolver;
  mode?: PermissionMode;
  audience?: "main" | "subagent";
}

/** An engine whose tools only tell that they ran, with one gate of one policy. */
function engineWith({ policy = new RulePolicy({ rules: RULES }), askResolver, ...options }: Setting = {}) {
  const ran: unknown[] = [];
  const tool = (name: string, readOnly: boolean): Tool => ({
    name,
    description: name,
    readOnly,
    inputSchema: {},
    call(input) {
      ran.push(input);
      return "ran";
    },
  });
  const gate = PermissionMiddleware.fromContext().withPolicy(policy, {
    workspace: memoryWorkspace({}),
    ...options,
  });
  const registry = new ToolRegistry([tool("Bash", false), tool("Read", true), tool("Write", false)]);
  const pipeline = ToolPipeline.builder().withCore(registry).withMiddleware(gate).build();
  const engine = new ToolEngine({
    pipeline,
    ...(askResolver === undefined ? {} : { askResolver }),
    onReport: () => {},
  });
  const dispatch = async (toolName: string, input: { [key: string]: string }) =>
    engine.dispatch({ toolName, callId: "c", input });
  return { ran, dispatch, bash: (command: string) => dispatch("Bash", { command }) };
}

const forSession: AskAnswer = { resolution: "Approve", remember: "session" };

describe("a gate with a rule policy", () => {
  it("runs what the rules allow, under the rule that did", async () => {
    const { bash, ran } = engineWith();
    const result = await bash("ls -la");
    expect(result.output).toBe("ran");
    expect(result.gate).toMatchObject({
      verdict: "allow",
      rule_id: "user:Bash(ls:*)",
      matched_pattern: "ls:*",
    });
    expect(ran).toHaveLength(1);
  });

  it("denies with scope, place and text of the rule, in the record and to the model", async () => {
    const { bash, ran } = engineWith();
    const result = await bash("ls && rm -rf x");
    expect(result.gate).toMatchObject({
      verdict: "deny",
      rule_id: "user:Bash(rm:*)",
      reason: "denied by the user rule Bash(rm:*) (rules[0])",
    });
    expect(result.output).toBe("Permission denied by the user rule Bash(rm:*) (rules[0]) for tool 'Bash'");
    expect(ran).toEqual([]);
  });

  it("asks with every part that is not yet allowed", async () => {
    const askResolver = scriptedResolver(["Deny"]);
    const { bash } = engineWith({ askResolver });
    await bash("ls && npm ci && git push");
    expect(askResolver.asks[0]).toMatchObject({ configured_ask: true });
    expect(askResolver.asks[0]?.details).toMatch(
      /^ask: npm ci\n.*\nask: git push\n.*pushes are looked at first$/,
    );
  });

  it("learns an answer for the session, and asks nobody about the same call again", async () => {
    const askResolver = scriptedResolver([forSession]);
    const { bash } = engineWith({ askResolver });
    expect((await bash("npm test")).gate?.verdict).toBe("ask_allowed");
    expect(askResolver.asks[0]?.rememberable).toEqual(["session"]);
    expect((await bash("npm test")).gate).toMatchObject({ verdict: "allow", rule_id: "user:Bash(npm test)" });
    expect(askResolver.asks).toHaveLength(1);
  });

  it("offers no memory where the rule would not answer the same call", async () => {
    const askResolver = scriptedResolver(["Approve", "Approve"]);
    const { bash } = engineWith({ askResolver });
    await bash("git push");
    await bash("npm test > out.txt");
    expect(askResolver.asks.map(({ rememberable }) => rememberable)).toEqual([undefined, undefined]);
  });

  it("denies by plan mode before any rule", async () => {
    const { bash, dispatch } = engineWith({ mode: "plan" });
    expect((await bash("go test ./...")).gate).toMatchObject({
      verdict: "deny",
      rule_id: "policy:plan-mode",
    });
    expect((await dispatch("Write", { path: "a" })).gate).toMatchObject({ rule_id: "policy:plan-mode" });
    expect((await bash("ls")).gate).toMatchObject({ verdict: "allow" });
  });

  it("names why it asks where no rule does", async () => {
    const { bash } = engineWith();
    expect((await bash("zap")).gate).toMatchObject({ verdict: "ask_unresolved", rule_id: "builtin:Shell" });
    expect((await bash("eval ls")).gate).toMatchObject({ rule_id: "policy:opaque" });
    expect((await bash("go test $(git rev-parse HEAD)")).gate).toMatchObject({
      rule_id: "policy:substitution-floor",
    });
  });
});

describe("a child's gate", () => {
  const parent = new RulePolicy({ rules: RULES });
  const child = {
    policy: createChildPolicy(parent, [
      { scope: "user", tool: "Bash", pattern: "go test:*", effect: "allow" },
      { scope: "user", tool: "Bash", pattern: "git push:*", effect: "ask" },
    ]),
  };

  it("is bound by its parent's denies", async () => {
    const { bash } = engineWith(child);
    expect((await bash("rm x")).gate).toMatchObject({ verdict: "deny" });
    expect((await bash("python3 script.py")).gate).toMatchObject({ verdict: "allow" });
  });

  it("approves in isolation what only the floor holds back, and never what an operator demands", async () => {
    const person = scriptedResolver(["Deny"]);
    const { bash } = engineWith({ ...child, askResolver: autoApproveInIsolation({ delegate: person }) });
    expect((await bash("go test $(git rev-parse HEAD)")).gate).toMatchObject({ verdict: "ask_allowed" });
    expect(person.asks).toEqual([]);
    expect((await bash("git push")).gate).toMatchObject({ verdict: "ask_denied" });
    expect(person.asks[0]).toMatchObject({ configured_ask: true });
  });
});
