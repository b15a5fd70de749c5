import {
  type AskResolver,
  createGrant,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
  PermissionGateError,
} from "@x/permission-core";
import fc from "fast-check";
import {
  type DispatchGuard,
  HookAction,
  MemoizeMiddleware,
  PermissionMiddleware,
  type PostToolUseHook,
  type PreToolUseHook,
  TimeoutMiddleware,
  type Tool,
  type ToolMiddleware,
} from "../../src/index.js";
import { never, type Setup, toolOf, turn } from "./engine-harness.js";

const timings = fc.constantFrom("now", "soon", "later");
type Timing = "now" | "soon" | "later";

/** One of `usual`, more often than of what ends the call early. */
function mostly<const Usual extends string, const Rare extends string>(
  usual: readonly Usual[],
  rare: readonly Rare[],
) {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}

/** Everything that can have a say on one call, what each says and when, and what disturbs it. */
export const scenarios = fc.record({
  hooks: fc.array(
    fc.record({ says: mostly(["allow", "ask"], ["block", "throw", "junk", "hang"]), timing: timings }),
    { maxLength: 3 },
  ),
  postHook: fc.constantFrom("none", "fine", "throw", "hang"),
  resolver: fc.record({
    says: mostly(["approve", "rewrite"], ["deny", "throw", "unavailable", "junk", "hang"]),
    timing: timings,
  }),
  hasResolver: fc.constantFrom(true, true, true, false),
  askTimeoutMs: fc.constantFrom(0, 1_000),
  guards: fc.array(
    fc.record({ says: mostly(["pass"], ["refuse", "stop", "throw", "junk", "hang"]), timing: timings }),
    { maxLength: 2 },
  ),
  layers: fc.array(
    fc.record({
      says: mostly(
        ["allow", "modify", "ask", "timeout", "memoize", "foreign"],
        ["deny", "throw", "hang", "giving-up"],
      ),
      timing: timings,
    }),
    { maxLength: 4 },
  ),
  store: mostly(["none", "empty", "allow"], ["deny", "failing", "hanging"]),
  tool: fc.record({
    does: mostly(["answer"], ["throw", "hang"]),
    timing: timings,
  }),
  disturbance: mostly(["none"], ["cancel", "close"]),
  /** after how many turns of the loop */
  disturbedAfter: fc.nat({ max: 8 }),
});

export type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

/** Gives, or throws, at once, in a microtask, or two turns of the loop later. */
function timed<T>(timing: Timing, give: () => T): T | Promise<T> {
  if (timing === "now") return give();
  if (timing === "soon") return Promise.resolve().then(give);
  return turn().then(turn).then(give);
}

const boom = (): never => {
  throw new Error("boom");
};

function hookOf({ says, timing }: Scenario["hooks"][number], index: number): PreToolUseHook {
  return {
    name: `h${index}`,
    preToolUse: () =>
      says === "hang"
        ? never()
        : timed(timing, () => {
            if (says === "throw") return boom();
            if (says === "junk") return "junk" as unknown as HookAction;
            if (says === "block") return HookAction.block("blocked");
            return says === "ask" ? HookAction.ask("sure?") : undefined;
          }),
  };
}

function postHookOf(does: Scenario["postHook"]): PostToolUseHook[] {
  if (does === "none") return [];
  return [{ postToolUse: () => (does === "hang" ? never() : does === "throw" ? boom() : undefined) }];
}

function resolverOf({ says, timing }: Scenario["resolver"]): AskResolver {
  return {
    interactive: false,
    resolve() {
      if (says === "hang") return never();
      return timed(timing, () => {
        if (says === "throw") return boom();
        if (says === "unavailable") throw new PermissionGateError("ask_unavailable", "nobody there");
        if (says === "junk") return "junk" as unknown as "Deny";
        if (says === "rewrite") return { resolution: "Approve", modified_input: { target: "/tmp" } };
        return says === "approve" ? "Approve" : "Deny";
      });
    },
  };
}

function guardOf({ says, timing }: Scenario["guards"][number], index: number): DispatchGuard {
  return {
    name: `guard${index}`,
    before: () =>
      says === "hang"
        ? never()
        : timed(timing, () => {
            if (says === "throw") return boom();
            if (says === "junk") return {} as unknown as null;
            return says === "pass" ? null : { action: says, reason: "tired" };
          }),
  };
}

function layerOf({ says, timing }: Scenario["layers"][number], index: number): ToolMiddleware {
  switch (says) {
    case "timeout":
      return new TimeoutMiddleware(2_000);
    case "memoize":
      return new MemoizeMiddleware({ unsafeOutsideGate: true });
    case "foreign":
      return { name: "foreign", dispatch: async (_context, next) => timed(timing, next) };
    case "giving-up":
      // Answers by itself while what is inside goes on.
      return {
        name: "giving-up",
        async dispatch({ callId }, next) {
          const given = { callId, output: "gave up", isError: true, errorKind: "tool" as const };
          const gaveUp = turn().then(() => ({
            ...given,
            durationMs: 0,
            cached: false,
            gate: null,
            trail: [],
          }));
          return Promise.race([next(), gaveUp]);
        },
      };
    default:
      return PermissionMiddleware.fromContext().withNamedCheck(`g${index}`, () =>
        says === "hang" ? never() : timed(timing, () => checkOf(says)),
      );
  }
}

function checkOf(says: "allow" | "deny" | "ask" | "modify" | "throw"): PermissionCheck {
  switch (says) {
    case "allow":
      return PermissionCheck.allow();
    case "deny":
      return PermissionCheck.deny("no");
    case "ask":
      return PermissionCheck.ask("really?");
    case "modify":
      return PermissionCheck.modify({ target: "/tmp" });
    case "throw":
      return boom();
  }
}

function storeOf(kind: Exclude<Scenario["store"], "none">): GrantStore {
  const scope = { this_call: { args: { target: "/srv" } } };
  switch (kind) {
    case "empty":
      return new MemoryGrantStore();
    case "deny":
      return new MemoryGrantStore([createGrant("deploy", "Deny", scope)]);
    case "allow":
      return new MemoryGrantStore([createGrant("deploy", "Allow", scope)]);
    case "failing":
      return Object.assign(new MemoryGrantStore(), { find: async () => boom() });
    case "hanging":
      return Object.assign(new MemoryGrantStore(), { find: never });
  }
}

function toolFor({ does, timing }: Scenario["tool"], ran: () => void): Tool {
  return {
    ...toolOf("deploy", ran, () => {
      if (does === "hang") return never();
      return timed(timing, () => (does === "throw" ? boom() : "deployed"));
    }),
    readOnly: true,
  };
}

/** The engine of a scenario; `ran` is told when its tool begins. */
export function setupOf(scenario: Scenario, ran: () => void): Setup {
  const { hooks, postHook, guards, layers, store, askTimeoutMs } = scenario;
  return {
    hooks: [...hooks.map(hookOf), ...postHookOf(postHook)],
    guards: guards.map(guardOf),
    layers: layers.map(layerOf),
    tools: [toolFor(scenario.tool, ran)],
    askTimeoutMs,
    ...(store === "none" ? undefined : { grants: storeOf(store) }),
    ...(scenario.hasResolver ? { askResolver: resolverOf(scenario.resolver) } : undefined),
  };
}
