import { type AskAnswer, type AskResolution, canonicalJson } from "@x/permission-core";
import type { Leaf, Tree } from "./composition-tree.js";

/** How often a quorum asks one member. */
export const MOST_ASKED = 3;

/** When and how the asking of a tree ends. */
export interface Ending {
  atMs: number;
  kind: "approve" | "deny" | "failed" | "unavailable" | "expired" | "never";
  /** of an approval or a denial */
  answer?: AskResolution | AskAnswer;
  /** of what the others reject with */
  code?: string;
}

/**
 * Works out, slowly and without any waiting, how the asking of `node` ends that begins at `startMs`: every part of the
 * tree is looked at as if nobody called it off, and what comes first wins.
 */
export function endingOf(node: Tree, startMs: number, isUnattended: boolean): Ending {
  const at = (child: Tree, childStartMs: number) => endingOf(child, childStartMs, isUnattended);
  if (isUnattended && isInteractive(node)) return missing("unavailable", startMs);
  switch (node.kind) {
    case "leaf":
      return leafEnding(node, startMs + node.afterMs);
    case "firstAnswer":
      return firstOf(node.members.map((member) => at(member, startMs)));
    case "fallback": {
      let ended: Ending[] = [];
      let lastMs = startMs;
      for (const member of node.members) {
        const ending = at(member, lastMs);
        ended = [...ended, ending];
        lastMs = ending.atMs;
        if (!isMissing(ending)) break;
      }
      return firstOf(ended);
    }
    case "escalate": {
      const ended: Ending[] = [];
      for (const { to, afterMs } of node.steps.toSorted((left, right) =>
        left.afterMs < right.afterMs ? -1 : left.afterMs > right.afterMs ? 1 : 0,
      )) {
        const idleMs = ended.every(isMissing)
          ? Math.max(startMs, ...ended.map((ending) => ending.atMs))
          : Number.POSITIVE_INFINITY;
        const askedMs = Math.min(startMs + afterMs, idleMs);
        ended.push(askedMs === Number.POSITIVE_INFINITY ? { kind: "never", atMs: askedMs } : at(to, askedMs));
      }
      return firstOf(ended);
    }
    case "quorum": {
      const askable = node.members.filter((member) => !isUnattended || !isInteractive(member));
      if (askable.length < node.needed) return missing("unavailable", startMs);
      return quorumOf(
        askable.map((member) => namedEnding((askedMs) => at(member, askedMs), startMs)),
        node.needed,
      );
    }
    case "route":
      if (node.member === null) return missing("unavailable", startMs + (node.afterMs ?? 0));
      return at(node.member, startMs + (node.afterMs ?? 0));
    case "withDeadline": {
      const ending = at(node.member, startMs);
      if (node.ms === 0 || ending.atMs < startMs + node.ms) return ending;
      return missing("expired", startMs + node.ms);
    }
  }
}

function isInteractive(node: Tree): boolean {
  switch (node.kind) {
    case "leaf":
      return node.interactive;
    case "route":
      return false;
    case "withDeadline":
      return isInteractive(node.member);
    case "escalate":
      return node.steps.every((step) => isInteractive(step.to));
    default:
      return node.members.every(isInteractive);
  }
}

/** What a leaf answers when it approves. */
export function approvalOf({ by, input }: Leaf): AskResolution | AskAnswer {
  if (by === null && input === undefined) return "Approve";
  const named = { resolution: "Approve" as const, ...(by !== null && { decided_by: by }) };
  return input === undefined ? named : { ...named, modified_input: input };
}

function leafEnding(leaf: Leaf, atMs: number): Ending {
  switch (leaf.says) {
    case "approve":
      return { kind: "approve", atMs, answer: approvalOf(leaf) };
    case "deny":
      return { kind: "deny", atMs, answer: "Deny" };
    case "throw":
      return { kind: "failed", atMs, code: "Error: broken" };
    case "junk":
      return { kind: "failed", atMs, code: "bad_record" };
    case "never":
      return { kind: "never", atMs: Number.POSITIVE_INFINITY };
    default:
      return missing(leaf.says, atMs);
  }
}

function missing(kind: "unavailable" | "expired", atMs: number): Ending {
  return { kind, atMs, code: `ask_${kind}` };
}

function isMissing(ending: Ending): boolean {
  return ending.kind === "unavailable" || ending.kind === "expired";
}

/** The earliest that decides; where none does, the end of the last one. */
function firstOf(endings: Ending[]): Ending {
  const decided = inOrder(endings.filter((ending) => !isMissing(ending)));
  const [first] = decided;
  if (first !== undefined) return first;
  return allMissing(endings, Math.max(...endings.map((ending) => ending.atMs)));
}

function allMissing(endings: Ending[], atMs: number): Ending {
  return missing(endings.some((ending) => ending.kind === "expired") ? "expired" : "unavailable", atMs);
}

function inOrder(endings: Ending[]): Ending[] {
  return endings.toSorted((left, right) => (left.atMs === right.atMs ? 0 : left.atMs < right.atMs ? -1 : 1));
}

/** Who approves without a name is asked again, and is unavailable the third time. */
function namedEnding(at: (startMs: number) => Ending, startMs: number): Ending {
  let ending = at(startMs);
  for (let asked = 1; isNameless(ending); asked += 1) {
    if (asked === MOST_ASKED) return missing("unavailable", ending.atMs);
    ending = at(ending.atMs);
  }
  return ending;
}

function isNameless({ kind, answer }: Ending): boolean {
  return kind === "approve" && (typeof answer === "string" || answer?.decided_by === undefined);
}

function quorumOf(endings: Ending[], needed: number): Ending {
  const heard: Ending[] = [];
  for (const ending of inOrder(endings)) {
    if (ending.kind === "deny" || ending.kind === "failed" || ending.kind === "never") return ending;
    heard.push(ending);
    const approvals = heard.flatMap((one) => (one.kind === "approve" ? (one.answer ?? []) : []));
    const groups = agreeing(approvals);
    const largest = groups.toSorted((left, right) => right.length - left.length)[0] ?? [];
    const { atMs } = ending;
    if (largest.length >= needed) return { kind: "approve", atMs, answer: together(largest) };
    if (largest.length + endings.length - heard.length >= needed) continue;
    if (approvals.length === largest.length) return allMissing(heard, atMs);
    return {
      kind: "deny",
      atMs,
      answer: { resolution: "Deny", reason: `a quorum of ${needed} was not reached` },
    };
  }
  throw new Error("a quorum is reached, or out of reach once all are heard");
}

/** The approvals that count, those of one input together. */
function agreeing(approvals: (AskResolution | AskAnswer)[]): AskAnswer[][] {
  const counted: AskAnswer[] = [];
  for (const answer of approvals) {
    if (typeof answer === "string" || answer.decided_by === undefined) continue;
    const persons = answer.decided_by.split(" + ");
    const taken = counted.flatMap((other) => other.decided_by?.split(" + ") ?? []);
    if (!persons.some((person) => taken.includes(person))) counted.push(answer);
  }
  const inputs = [...new Set(counted.map(inputText))];
  return inputs.map((text) => counted.filter((answer) => inputText(answer) === text));
}

function inputText(answer: AskAnswer): string {
  return answer.modified_input === undefined ? "as it is" : canonicalJson(answer.modified_input);
}

function together(answers: AskAnswer[]): AskAnswer {
  const decided_by = answers.map((answer) => answer.decided_by).join(" + ");
  const input = answers[0]?.modified_input;
  return {
    resolution: "Approve",
    decided_by,
    ...(input !== undefined && { modified_input: input }),
  } as AskAnswer;
}
