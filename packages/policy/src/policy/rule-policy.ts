import {
  type Audience,
  type Awaitable,
  isolatedReport,
  type OnReport,
  type PermissionDecision,
  type PermissionPolicy,
  type PermissionStore,
  type PolicyRequest,
  type Rule,
  type RuleProblem,
  type RuleResolver,
  type RuleSet,
  type WorkspaceReader,
} from "@x/permission-core";
import { evaluateRules } from "../evaluate/evaluate-rules.js";
import {
  type EvaluationOptions,
  type EvaluationRequest,
  evaluationOptionsOf,
} from "../evaluate/evaluation-request.js";
import { explainRules, type RuleExplanation } from "../evaluate/explain-rules.js";
import { learnRule } from "../learning/learn-rule.js";
import { MemoryPermissionStore } from "../learning/memory-permission-store.js";
import { builtinRules } from "./builtin-rules.js";
import { continueWith } from "./continue-with.js";
import { failClosed } from "./fail-closed.js";
import { LatestByWorkspace } from "./latest-by-workspace.js";
import { LearnedRules } from "./learned-rules.js";
import { RuleListJoiner } from "./rule-list-joiner.js";
import { ruleProblems } from "./rule-problems.js";
import { type RuleSource, toResolver } from "./rule-source.js";

/** What a {@link RulePolicy} decides from, and how it reads calls. Only `rules` must be given. */
export interface RulePolicyOptions extends EvaluationOptions {
  rules: RuleSource;
  /** where sessions keep what they learned; default in this process's memory */
  store?: PermissionStore;
  /** whether `builtinRules()` stand behind the rules; default true */
  builtins?: boolean;
  /** whose calls these are, whatever a request says; default: what it says */
  audience?: Audience;
  /** told of a resolver or a store that fails; default the console */
  onReport?: OnReport;
}

type LearnRequest = Omit<PolicyRequest, "mode" | "signal">;

/**
 * Decides calls from rules, as {@link evaluateRules} does. It fails closed: where the rules cannot be had, or say themselves
 * that they cannot be trusted, every call asks for that reason, while what is known to be denied stays denied. Synchronous
 * as long as resolver and store are.
 */
export class RulePolicy implements PermissionPolicy {
  /** how it reads calls */
  readonly evaluationOptions: EvaluationOptions;
  readonly #resolver: RuleResolver;
  readonly #audience: Audience | undefined;
  readonly #joiner: RuleListJoiner;
  readonly #learned: LearnedRules;
  readonly #onReport: OnReport;
  /** by workspace, what was resolved last: its denies hold where nothing newer can be had */
  readonly #latest = new LatestByWorkspace();

  constructor(options: RulePolicyOptions) {
    const { rules, store, builtins, audience, onReport } = options;
    this.#resolver = toResolver(rules);
    this.#audience = audience;
    this.evaluationOptions = evaluationOptionsOf(options);
    this.#joiner = new RuleListJoiner(builtins === false ? [] : builtinRules());
    this.#onReport = isolatedReport(onReport);
    this.#learned = new LearnedRules(store ?? new MemoryPermissionStore(), this.#onReport);
  }

  evaluate(request: PolicyRequest): Awaitable<PermissionDecision> {
    return this.#withRules(request, (evaluation, set) =>
      failClosed(evaluateRules({ ...evaluation, mode: request.mode }), set),
    );
  }

  /** What `evaluate` decides, with every rule that matched and why the winner won. */
  explain(request: PolicyRequest): Awaitable<RuleExplanation> {
    return this.#withRules(request, (evaluation, set) => {
      const explanation = explainRules({ ...evaluation, mode: request.mode });
      return { ...explanation, decision: failClosed(explanation.decision, set) };
    });
  }

  /** Gives a rule only where the same call would be allowed with it: never one that leaves the question as it is. */
  learnable(request: LearnRequest): Awaitable<Rule | null> {
    return this.#withRules(request, (evaluation, set) => {
      return set.failClosed === null ? learnRule(request.call, evaluation) : null;
    });
  }

  learn(request: LearnRequest): Awaitable<Rule | null> {
    return continueWith(this.learnable(request), (rule) => {
      if (rule === null) return null;
      return continueWith(this.#learned.record(request.sessionId, rule), () => rule);
    });
  }

  /** What these rules are at the moment, without what is built in. Never rejects: a resolver that fails gives a closed set. */
  rules(workspace?: WorkspaceReader): Awaitable<RuleSet> {
    const latest = this.#latest.of(workspace);
    const number = latest.ask();
    const report = (cause: unknown): void =>
      this.#onReport({ level: "error", message: "The permission rules could not be had; calls ask.", cause });
    const answer = (given: unknown): RuleSet =>
      latest.answer(number, given, () => report(new TypeError("what a source of rules gave is no rule set")));
    try {
      const resolved: Awaitable<unknown> = this.#resolver.resolve(workspace);
      return continueWith<RuleSet, RuleSet>(continueWith(resolved, answer), (set) => set, failed);
    } catch (error) {
      return failed(error);
    }

    function failed(cause: unknown): RuleSet {
      report(cause);
      return latest.fail(number);
    }
  }

  /** What is wrong with the rules: what their source says of them, and rules whose tool is unknown. */
  problems(workspace?: WorkspaceReader): Awaitable<RuleProblem[]> {
    return continueWith(this.rules(workspace), ({ rules, problems }) => [
      ...problems,
      ...ruleProblems(rules, this.evaluationOptions),
    ]);
  }

  #withRules<Answer>(
    request: LearnRequest,
    decide: (evaluation: EvaluationRequest, set: RuleSet) => Answer,
  ): Awaitable<Answer> {
    const { call, audience, workspace, sessionId } = request;
    return continueWith(this.rules(workspace), (set) =>
      continueWith(this.#learned.of(sessionId), (learned) =>
        decide(
          {
            ...this.evaluationOptions,
            rules: this.#joiner.join(set.rules),
            learned,
            call,
            audience: this.#audience ?? audience,
            ...(workspace === undefined ? {} : { workspace }),
          },
          set,
        ),
      ),
    );
  }
}
