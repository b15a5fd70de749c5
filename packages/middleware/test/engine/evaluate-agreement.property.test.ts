import { createGrant, MemoryGrantStore, PermissionCheck, precedenceTier } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { HookAction, PermissionMiddleware, type PreToolUseHook } from "../../src/index.js";
import { callOf, engineFor, type Setup } from "../support/engine-harness.js";

const ARGS = { target: "/srv" };

const kinds = fc.constantFrom("allow", "deny", "ask", "modify", "throw");
type Kind = "allow" | "deny" | "ask" | "modify" | "throw";

function say(kind: Kind): PermissionCheck {
  switch (kind) {
    case "allow":
      return PermissionCheck.allow();
    case "deny":
      return PermissionCheck.deny("no");
    case "ask":
      return PermissionCheck.ask("sure?");
    case "modify":
      return PermissionCheck.modify({ target: "/tmp" });
    case "throw":
      throw new Error("boom");
  }
}

const scenario = fc.record({
  hooks: fc.array(
    fc.record({ says: fc.constantFrom("allow", "block", "ask", "throw"), isLater: fc.boolean() }),
    {
      maxLength: 3,
    },
  ),
  gates: fc.array(fc.record({ says: kinds, isLater: fc.boolean() }), { maxLength: 3 }),
  guards: fc.array(fc.constantFrom("pass", "refuse", "throw"), { maxLength: 2 }),
  store: fc.constantFrom("none", "empty", "deny", "allow", "failing"),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function setupOf({ hooks, gates, guards, store }: Scenario): Setup {
  return {
    hooks: hooks.map(({ says, isLater }, index): PreToolUseHook => {
      const judge = () => {
        if (says === "throw") throw new Error("boom");
        if (says === "block") return HookAction.block("blocked");
        return says === "ask" ? HookAction.ask(`hook ${index}?`) : undefined;
      };
      return { name: `h${index}`, preToolUse: isLater ? async () => judge() : judge };
    }),
    layers: gates.map(({ says, isLater }, index) =>
      PermissionMiddleware.fromContext().withNamedCheck(
        `g${index}`,
        isLater ? async () => say(says) : () => say(says),
      ),
    ),
    guards: guards.map((says, index) => ({
      name: `guard${index}`,
      before() {
        if (says === "throw") throw new Error("boom");
        return says === "pass" ? null : { action: "refuse", reason: "tired" };
      },
    })),
    ...(store === "none" ? undefined : { grants: storeOf(store) }),
  };
}

function storeOf(kind: Exclude<Scenario["store"], "none">) {
  const scope = { this_call: { args: ARGS } };
  switch (kind) {
    case "empty":
      return new MemoryGrantStore();
    case "deny":
      return new MemoryGrantStore([createGrant("deploy", "Deny", scope)]);
    case "allow":
      return new MemoryGrantStore([createGrant("deploy", "Allow", scope)]);
    case "failing":
      return Object.assign(new MemoryGrantStore(), { find: async () => Promise.reject(new Error("down")) });
  }
}

it("agrees with what a dispatch then does, whoever has a say", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const dry = await engineFor(setupOf(given)).engine.evaluate(callOf());
      const resolver = scriptedResolver(Array<"Approve">(10).fill("Approve"));
      const { engine, inputs } = engineFor({ ...setupOf(given), askResolver: resolver });
      const result = await engine.dispatch(callOf());

      const asked = resolver.asks.length > 0;
      if (dry === null) {
        expect(result.gate).toBeNull();
        expect(inputs).toHaveLength(1);
      } else if (precedenceTier(dry.verdict) === 2) {
        expect(inputs).toEqual([]);
        if (dry.rule_id.startsWith("guard")) {
          expect(result).toMatchObject({ errorKind: "guard", output: dry.reason });
        } else {
          expect({ ...result.gate, ts: 0 }).toEqual(dry);
          // An outer gate asks before an inner one denies; the engine itself asks nothing in vain.
          const prompts = resolver.asks.map(({ prompt }) => prompt);
          expect(prompts.filter((prompt) => prompt !== "sure?")).toEqual([]);
        }
      } else if (dry.verdict === "ask") {
        expect(asked).toBe(true);
        expect(resolver.asks[0]?.prompt).toBe(dry.reason);
        expect(inputs).toHaveLength(1);
      } else {
        expect(asked).toBe(false);
        expect(inputs).toHaveLength(1);
        expect({ ...result.gate, ts: 0 }).toEqual(dry);
      }
    }),
    { numRuns: 400 },
  );
});

it("says ask exactly of what nobody to ask makes unresolved", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const dry = await engineFor(setupOf(given)).engine.evaluate(callOf());
      const { engine } = engineFor(setupOf(given));
      const { gate } = await engine.dispatch(callOf());
      if (dry?.verdict === "ask") {
        expect(gate).toMatchObject({
          verdict: "ask_unresolved",
          rule_id: dry.rule_id,
          reason: `permission required: ${dry.reason}`,
        });
      } else if (dry === null || precedenceTier(dry.verdict) !== 2) {
        // What a dry run denies may end unresolved as well: an outer gate asks before an inner one denies.
        expect(gate?.verdict).not.toBe("ask_unresolved");
      }
    }),
    { numRuns: 200 },
  );
});
