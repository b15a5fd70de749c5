import { type AskAnswer, type AskResolution, canonicalJson } from "@x/permission-core";
import { JOINT, personsOf } from "./person-names.js";

/** Whether it says whose answer it is. */
export function isNamed(answer: AskResolution | AskAnswer): answer is AskAnswer {
  return typeof answer !== "string" && personsOf(answer.decided_by ?? "").length > 0;
}

/** Approvals that go together: of the call as it is, or of one replaced input. */
type Group = AskAnswer[];

/** Counts approvals. Each person counts once, whatever they approve first. */
export class QuorumBallot {
  readonly #persons = new Set<string>();
  readonly #groups = new Map<string, Group>();
  #cast = 0;

  /** The most approvals that agree. */
  get best(): number {
    return Math.max(0, ...Array.from(this.#groups.values(), (group) => group.length));
  }

  /** Whether every approval given so far agrees with all the others and was counted. */
  get isUnanimous(): boolean {
    return this.#cast === this.best;
  }

  /** Gives why a named approval does not count; null when it does. */
  add(answer: AskAnswer): string | null {
    this.#cast += 1;
    const persons = personsOf(answer.decided_by ?? "");
    if (persons.some((person) => this.#persons.has(person))) return "its decided_by has approved already";
    for (const person of persons) this.#persons.add(person);
    const key = answer.modified_input === undefined ? "" : canonicalJson(answer.modified_input);
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, [answer]);
    else group.push(answer);
    return null;
  }

  /** The joint answer of the first `needed` approvals that agree; null where there are not so many. */
  decided(needed: number): AskAnswer | null {
    for (const group of this.#groups.values()) if (group.length >= needed) return jointAnswer(group);
    return null;
  }
}

/**
 * One answer that says no more than each of the approvals: something is remembered only where all would remember the
 * same, and only as long as the one that ends first.
 */
function jointAnswer(approvals: Group): AskAnswer {
  const [first] = approvals;
  const reasons = textOf(approvals, "reason");
  const joint = {
    resolution: "Approve" as const,
    decided_by: textOf(approvals, "decided_by").join(JOINT),
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    ...(first?.ask_id !== undefined && agree(approvals, "ask_id") && { ask_id: first.ask_id }),
  };
  if (first?.modified_input !== undefined) return { ...joint, modified_input: first.modified_input };
  if (first?.remember === undefined || !agree(approvals, "remember")) return joint;
  const untilMs = Math.min(
    ...approvals.map((answer) => answer.remember_until_ms ?? Number.POSITIVE_INFINITY),
  );
  return {
    ...joint,
    remember: first.remember,
    ...(untilMs !== Number.POSITIVE_INFINITY && { remember_until_ms: untilMs }),
  };
}

function textOf(approvals: Group, field: "decided_by" | "reason"): string[] {
  return approvals.flatMap((answer) => answer[field] ?? []);
}

function agree(approvals: Group, field: "ask_id" | "remember"): boolean {
  return new Set(approvals.map((answer) => answer[field])).size === 1;
}
