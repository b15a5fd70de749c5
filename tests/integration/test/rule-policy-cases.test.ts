import {
  HookAction,
  PermissionMiddleware,
  type PreToolUseHook,
  ToolEngine,
  type ToolMiddleware,
  ToolPipeline,
} from "@x/middleware";
import {
  type AskAnswer,
  type AskResolution,
  argsDigest,
  type GateDecision,
  type JsonValue,
  type PendingAsk,
  PermissionCheck,
} from "@x/permission-core";
import { definePermissions, type Permissions, RulePolicy } from "@x/policy";
import { describe, expect, it } from "vitest";

const SESSION = { sessionId: "5c3f6f0e-0000-4000-8000-000000000001" };

/** An engine whose tool `Bash` only keeps what it was to run, under these layers; asks get `answer`. */
function shellRig(
  layers: readonly ToolMiddleware[],
  answer: AskResolution | AskAnswer = "Deny",
  hooks: readonly PreToolUseHook[] = [],
) {
  const ran: JsonValue[] = [];
  const asks: PendingAsk[] = [];
  const records: GateDecision[] = [];
  const tool = {
    name: "Bash",
    description: "Runs a command",
    inputSchema: {},
    call(input: JsonValue) {
      ran.push(input);
      return "ran";
    },
  };
  const builder = ToolPipeline.builder({ onReport: () => {} }).withCore([tool]);
  for (const layer of layers) builder.withMiddleware(layer);
  const engine = new ToolEngine({
    pipeline: builder.build(),
    hooks: [...hooks],
    askResolver: {
      interactive: false,
      resolve(pending) {
        asks.push(pending);
        return answer;
      },
    },
    observers: [{ onGateDecision: ({ decision }) => void records.push(decision) }],
  });
  let calls = 0;
  const call = (command: string) => ({ toolName: "Bash", callId: `c${++calls}`, input: { command } });
  return {
    ran,
    asks,
    records,
    evaluate: (command: string) => engine.evaluate(call(command)),
    dispatch: (command: string) => engine.dispatch({ ...call(command), toolContext: SESSION }),
  };
}

const ruled = (permissions: Permissions) =>
  PermissionMiddleware.fromContext().withPolicy(new RulePolicy({ rules: definePermissions(permissions) }));
const allowing = () => PermissionMiddleware.fromContext().withNamedCheck("allowing", PermissionCheck.allow);

describe("rules of the shell tool, behind hooks and other gates", () => {
  it("[CASE-059] deny also where a hook asks, and nobody is asked in vain", async () => {
    const asking: PreToolUseHook = { name: "confirm", preToolUse: () => HookAction.ask("run?") };
    const rig = shellRig([ruled({ deny: ["Bash(uname:*)"] })], "Approve", [asking]);
    const denied = { verdict: "deny", rule_id: "user:Bash(uname:*)" };
    expect(await rig.evaluate("uname -a")).toMatchObject(denied);
    expect((await rig.dispatch("uname -a")).gate).toMatchObject(denied);
    expect(rig).toMatchObject({ ran: [], asks: [] });
    // The same hook where no rule denies.
    expect((await rig.dispatch("ls")).gate?.verdict).toBe("ask_allowed");
  });

  it("[CASE-060] ask also where a gate allows, whichever stands outside", async () => {
    const asking = () => ruled({ ask: ["Bash(git push:*)"] });
    for (const layers of [
      [allowing(), asking()],
      [asking(), allowing()],
    ]) {
      const rig = shellRig(layers);
      expect((await rig.evaluate("git push"))?.verdict).toBe("ask");
      expect((await rig.dispatch("git push")).gate?.verdict).toBe("ask_denied");
      expect(rig.asks).toMatchObject([{ tool: "Bash", configured_ask: true }]);
      expect(rig.ran).toEqual([]);
    }
  });

  it("[CASE-062] are answered for a session without lifting what another gate denies", async () => {
    const denying = ruled({ deny: ["Bash(docker rm:*)"], allow: ["Bash(docker:*)"] });
    const rig = shellRig([ruled({ ask: ["Bash(docker:*)"] }), denying], {
      resolution: "Approve",
      remember: "session",
    });
    expect((await rig.dispatch("docker ps")).output).toBe("ran");
    const second = await rig.dispatch("docker rm c");
    expect(second.gate).toMatchObject({ verdict: "deny", rule_id: "user:Bash(docker rm:*)" });
    expect(rig.ran).toEqual([{ command: "docker ps" }]);
  });

  it("[CASE-196] leave one record, with every gate's verdict in the trail, where a hook defers", async () => {
    const deferring: PreToolUseHook = { name: "deferring", preToolUse: () => undefined };
    const rules = ruled({ allow: [{ rule: "Bash(make:*)", id: "the-rule" }] });
    const rig = shellRig([allowing(), rules], "Deny", [deferring]);
    const result = await rig.dispatch("make test");
    expect(result.trail.map(({ verdict, rule_id }) => [verdict, rule_id])).toEqual([
      ["allow", "allowing"],
      ["allow", "the-rule"],
    ]);
    expect(result.gate).toEqual(result.trail[1]);
    expect(rig.records).toMatchObject([{ verdict: "allow", rule_id: "the-rule", matched_pattern: "make:*" }]);
    expect(rig.asks).toEqual([]);
  });

  it("[CASE-034] are asked about with every word of the command in what is shown and what is digested", async () => {
    const whole = "env BASH_ENV=/tmp/e bash -lc 'echo SAFE'";
    const rig = shellRig([ruled({ allow: ["Bash(echo:*)"] })]);
    await rig.dispatch(whole);
    const [ask] = rig.asks;
    expect(`${ask?.prompt}\n${ask?.details}`).toContain(whole);
    expect(ask?.args_digest).toBe(argsDigest({ command: whole }));
  });
});
