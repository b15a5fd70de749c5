import {
  type AskAnswer,
  type AskFunction,
  type AskResolver,
  cloneJson,
  parseAskAnswer,
} from "@x/permission-core";

/** A function becomes a resolver that needs somebody at this process. */
export function toAskResolver(resolver: AskResolver | AskFunction): AskResolver {
  if (typeof resolver !== "function") return resolver;
  return {
    interactive: true,
    async resolve(pending, { signal }) {
      const answer = await resolver(pending.prompt, pending.tool, { signal, ask: pending });
      if (answer === true) return "Approve";
      return answer === false ? "Deny" : answer;
    },
  };
}

/** Whether there is anybody to ask: in an unattended run, a resolver that needs somebody here is nobody. */
export function canAsk(
  resolver: AskResolver | null | undefined,
  isNonInteractive: boolean,
): resolver is AskResolver {
  if (resolver === null || resolver === undefined) return false;
  return !isNonInteractive || resolver.interactive === false;
}

/** Fails closed: null for anything that is no answer of its form. A rewritten input is copied. */
export function readAnswer(raw: unknown): AskAnswer | null {
  try {
    const answer = parseAskAnswer(raw);
    return answer.modified_input === undefined
      ? answer
      : { ...answer, modified_input: cloneJson(answer.modified_input) };
  } catch {
    return null;
  }
}
