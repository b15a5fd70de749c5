import type { JsonValue } from "@x/permission-core";
import fc from "fast-check";

/** A member at the bottom. `sync`: what it says, it says without waiting; the others take `afterMs`. */
export interface Leaf {
  kind: "leaf";
  name: string;
  says: "approve" | "deny" | "unavailable" | "expired" | "throw" | "junk" | "never";
  how: "sync" | "promise" | "function" | "channel";
  afterMs: number;
  by: string | null;
  input: JsonValue | undefined;
  interactive: boolean;
}

export type Tree =
  | Leaf
  | { kind: "firstAnswer" | "fallback"; members: Tree[] }
  | { kind: "quorum"; needed: number; members: Tree[] }
  | { kind: "escalate"; steps: { to: Tree; afterMs: number }[] }
  /** `afterMs` null: chosen without waiting */
  | { kind: "route"; member: Tree | null; afterMs: number | null }
  | { kind: "withDeadline"; member: Tree; ms: number };

const ms = fc.integer({ min: 1, max: 20 });

const leaf: fc.Arbitrary<Tree> = fc
  .record({
    kind: fc.constant("leaf" as const),
    name: fc.constant(""),
    says: fc.constantFrom<Leaf["says"][]>(
      "approve",
      "approve",
      "approve",
      "deny",
      "unavailable",
      "unavailable",
      "expired",
      "throw",
      "junk",
      "never",
    ),
    how: fc.constantFrom<Leaf["how"][]>("sync", "promise", "promise", "function", "channel"),
    afterMs: ms,
    by: fc.constantFrom(null, "ana", "bob", "cem", "dee"),
    input: fc.constantFrom<(JsonValue | undefined)[]>(undefined, undefined, { a: 1 }, { a: 2 }),
    interactive: fc.boolean(),
  })
  .map((made) => ({
    ...made,
    // A function is interactive, and a channel has somebody who answers or does not.
    interactive: made.how === "function" || (made.interactive && made.how !== "channel"),
    says: made.how === "channel" && !["approve", "deny", "never"].includes(made.says) ? "approve" : made.says,
  }));

function tree(depth: number): fc.Arbitrary<Tree> {
  if (depth === 0) return leaf;
  const member = tree(depth - 1);
  const members = fc.array(member, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom("firstAnswer" as const, "fallback" as const), members }),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(members, fc.nat())
        .map(([list, any]): Tree => ({ kind: "quorum", members: list, needed: 1 + (any % list.length) })),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("escalate" as const),
        steps: fc.array(
          fc.record({ to: member, afterMs: fc.oneof(fc.constantFrom(0, Number.POSITIVE_INFINITY), ms) }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("route" as const),
        member: fc.option(member, { freq: 8 }),
        afterMs: fc.option(ms),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("withDeadline" as const),
        member,
        ms: fc.oneof(fc.constant(0), ms),
      }),
    },
  );
}

/** So many fractions of two bits, each up to three times, and whole numbers beside them, add up without rounding. */
const MOST_TIMES = 20;

/** Compositions nested up to four deep, with no two things at one time. */
export const compositionTree: fc.Arbitrary<Tree> = tree(4)
  .map(withTimesApart)
  .filter((made): made is Tree => made !== null);

/** Gives every leaf a name, and every time a fraction of its own; null where there are too many. */
function withTimesApart(root: Tree): Tree | null {
  let times = 0;
  let leaves = 0;
  const apart = (time: number) => {
    if (time === 0 || time === Number.POSITIVE_INFINITY) return time;
    times += 1;
    return time + 4 ** -times;
  };
  const walk = (node: Tree): Tree => {
    switch (node.kind) {
      case "leaf":
        leaves += 1;
        return { ...node, name: `leaf-${leaves}`, afterMs: node.how === "sync" ? 0 : apart(node.afterMs) };
      case "escalate":
        return {
          ...node,
          steps: node.steps.map(({ to, afterMs }) => ({ to: walk(to), afterMs: apart(afterMs) })),
        };
      case "route":
        return {
          ...node,
          member: node.member && walk(node.member),
          afterMs: node.afterMs === null ? null : apart(node.afterMs),
        };
      case "withDeadline":
        return { ...node, member: walk(node.member), ms: apart(node.ms) };
      default:
        return { ...node, members: node.members.map(walk) };
    }
  };
  const made = walk(root);
  return times > MOST_TIMES ? null : made;
}

/** Every node of a tree, itself included. */
export function nodesOf(node: Tree): Tree[] {
  switch (node.kind) {
    case "leaf":
      return [node];
    case "escalate":
      return [node, ...node.steps.flatMap((step) => nodesOf(step.to))];
    case "route":
      return [node, ...(node.member === null ? [] : nodesOf(node.member))];
    case "withDeadline":
      return [node, ...nodesOf(node.member)];
    default:
      return [node, ...node.members.flatMap(nodesOf)];
  }
}
