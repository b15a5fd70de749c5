import { setFlagsFromString } from "node:v8";
import { createMongoAbility, type MongoAbility, type RawRuleOf } from "@casl/ability";
import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import type { Rule } from "@x/permission-core";
import { evaluateRules } from "@x/policy";
import { newEnforcer, newModelFromString, StringAdapter } from "casbin";

/** Whether one shell command may run, as a policy engine decides it from a rule list. */
export type Decide = (command: string) => boolean;

/** A rule of a shell program: `program` and whatever follows it. */
export interface BenchmarkRule {
  effect: "allow" | "deny";
  /** literal text that a command begins with, a space follows */
  program: string;
}

export function gateDecide(given: readonly BenchmarkRule[]): Decide {
  const rules = given.map(
    ({ effect, program }): Rule => ({ scope: "user", tool: "Bash", pattern: `${program} *`, effect }),
  );
  return (command) => evaluateRules({ rules, call: { tool: "Bash", input: { command } } }).effect === "allow";
}

export function caslDecide(given: readonly BenchmarkRule[]): Decide {
  const rules = given.map(
    ({ effect, program }): RawRuleOf<MongoAbility> => ({
      action: "run",
      subject: "Shell",
      inverted: effect === "deny",
      conditions: { command: { $regex: `^${program} [^]*$` } },
    }),
  );
  const ability = createMongoAbility(rules, { detectSubjectType: () => "Shell" });
  return (command) => ability.can("run", { command } as never);
}

const CASBIN_MODEL = `
[request_definition]
r = tool, command
[policy_definition]
p = tool, pattern, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && globMatch(r.command, p.pattern)
`;

export async function casbinDecide(given: readonly BenchmarkRule[]): Promise<Decide> {
  const lines = given.map(({ effect, program }) => `p, Shell, ${program} *, ${effect}`);
  const enforcer = await newEnforcer(newModelFromString(CASBIN_MODEL), new StringAdapter(lines.join("\n")));
  return (command) => enforcer.enforceSync("Shell", command);
}

// Node 20 crashes in V8 ("unreachable code" in the deoptimizer) where it inlines calls of WebAssembly that give references.
setFlagsFromString("--no-turbo-inline-js-wasm-calls");

export function cedarDecide(given: readonly BenchmarkRule[], name: string): Decide {
  const policies = given.map(
    ({ effect, program }) =>
      `${effect === "allow" ? "permit" : "forbid"}(principal, action, resource) when { context.command like "${program} *" };`,
  );
  const parsed = preparsePolicySet(name, { staticPolicies: policies.join("\n") });
  if (parsed.type !== "success") throw new Error("Cedar could not parse the policies");
  return (command) => {
    const answer = statefulIsAuthorized({
      principal: { type: "Agent", id: "a" },
      action: { type: "Action", id: "run" },
      resource: { type: "Tool", id: "Shell" },
      context: { command },
      preparsedPolicySetId: name,
      entities: [],
    });
    if (answer.type !== "success") throw new Error("Cedar gave no decision");
    return answer.response.decision === "allow";
  };
}
