import {
  createGrant,
  type Grant,
  MemoryGrantStore,
  PermissionCheck,
  precedenceTier,
} from "@x/permission-core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, policyDecision, stubPolicy } from "../support/gate-rig.js";

type Kind = PermissionCheck["kind"];
interface GateSpec {
  check: Kind | null;
  toolCheck: Kind | null;
  policy: "allow" | "ask" | "deny" | null;
  configuredAsk: boolean;
  grants: readonly ("allow-call" | "allow-tool" | "deny-call")[] | "failing" | null;
}

const PATHS = ["/a", "/b", "/c"] as const;
const kind = fc.constantFrom<Kind>("allow", "modify", "ask", "deny");
const leaning = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Kind>("allow", "modify", "ask") },
  { weight: 1, arbitrary: kind },
);
const spec: fc.Arbitrary<GateSpec> = fc.record({
  check: fc.option(leaning),
  toolCheck: fc.option(leaning),
  policy: fc.option(fc.constantFrom("allow", "ask", "ask", "deny")),
  configuredAsk: fc.boolean(),
  grants: fc.option(
    fc.oneof(
      fc.subarray(["allow-call", "allow-tool", "deny-call"] as const),
      fc.constant("failing" as const),
    ),
  ),
});

/** A check that may look at the path: a denial of it holds for one path only, so that rewrites matter. */
function checkOf(kind: Kind, index: number): (context: { input: unknown }) => PermissionCheck {
  return ({ input }) => {
    const { path } = input as { path: string };
    if (kind === "deny")
      return path === PATHS[index % 3] ? PermissionCheck.deny("no") : PermissionCheck.allow();
    if (kind === "ask") return PermissionCheck.ask("run?");
    return kind === "allow"
      ? PermissionCheck.allow()
      : PermissionCheck.modify({ path: PATHS[(index + 1) % 3] ?? "/a" });
  };
}

function grantsOf(names: readonly string[], index: number): Grant[] {
  const scope = { this_call: { args: { path: PATHS[index % 3] ?? "/a" } } };
  return names.map((name) =>
    createGrant(
      "t",
      name.startsWith("allow") ? "Allow" : "Deny",
      name === "allow-tool" ? "this_tool" : scope,
    ),
  );
}

function gateOf(
  { check, toolCheck, policy, configuredAsk, grants }: GateSpec,
  index: number,
  onAsk: () => void,
) {
  const gate = PermissionMiddleware.fromContext().withAskResolver({
    interactive: false,
    resolve() {
      onAsk();
      return "Approve";
    },
  });
  if (check !== null) gate.withNamedCheck(`check-${index}`, checkOf(check, index));
  if (toolCheck !== null)
    gate.withToolCheck("t", (input: unknown) => checkOf(toolCheck, index + 1)({ input }));
  if (policy !== null)
    gate.withPolicy(stubPolicy(policyDecision(policy, { configuredAsk: configuredAsk && policy === "ask" })));
  if (grants === "failing") {
    gate.withGrants(Object.assign(new MemoryGrantStore(), { find: () => Promise.reject(new Error("gone")) }));
  } else if (grants !== null) gate.withGrants(new MemoryGrantStore(grantsOf(grants, index)));
  return gate;
}

it("agrees with the real dispatch of any stack of gates, where every question is approved", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { maxLength: 4 }), fc.constantFrom(...PATHS), async (specs, path) => {
      let asked = 0;
      const build = () => gateRig(specs.map((each, index) => gateOf(each, index, () => void asked++)));
      const dry = build();
      const foreseen = await dry.evaluate({ input: { path } });
      expect(asked).toBe(0);
      expect(dry.inputs).toEqual([]);

      const real = build();
      const result = await real.invoke({ input: { path } });
      const ran = real.inputs.length === 1;
      expect(foreseen === null).toBe(specs.length === 0);
      expect(foreseen === null || precedenceTier(foreseen.verdict) < 2).toBe(ran);
      if (foreseen !== null && !ran) expect(result.gate).toEqual(foreseen);
      if (ran) expect(foreseen?.verdict === "ask").toBe(asked > 0);
      if (ran && asked === 0) expect(result.gate).toEqual(foreseen);
    }),
    { numRuns: 300 },
  );
});
