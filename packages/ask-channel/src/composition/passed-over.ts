import type { AskResolver, OnReport, PendingAsk, PermissionGateError } from "@x/permission-core";
import type { MemberOutcome } from "./member-outcome.js";

/** Reports a member that is unavailable while others are asked: once, and again after it has answered in between. */
export class PassedOver {
  readonly #report: OnReport;
  readonly #memberCount: number;
  readonly #reported = new Set<AskResolver>();

  constructor(report: OnReport, memberCount: number) {
    this.#report = report;
    this.#memberCount = memberCount;
  }

  /** `rejection`: what the composition rejects with by this outcome. It tells whoever put the ask of the member too, unless it expired. */
  notice(
    member: AskResolver,
    outcome: MemberOutcome,
    { ask, rejection }: { ask: PendingAsk; rejection: PermissionGateError | null },
  ): void {
    if (outcome.kind === "answer") this.#reported.delete(member);
    if (outcome.kind !== "unavailable" || this.#reported.has(member)) return;
    if (rejection?.code === "ask_unavailable") return;
    this.#reported.add(member);
    this.#report({
      level: "warn",
      message: `ask ${ask.id}: one of ${this.#memberCount} resolvers is unavailable`,
      cause: outcome.error,
    });
  }
}
