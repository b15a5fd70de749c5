import { type AskFunction, type AskResolver, PermissionGateError } from "@x/permission-core";

/** Whoever a composition can ask: a resolver, another composition, or a plain function, which is interactive. */
export type ComposableResolver = AskResolver | AskFunction;

/** Throws code `invalid_option` for what cannot be asked. */
export function toMember(resolver: ComposableResolver): AskResolver {
  if (typeof resolver === "function") return askingFunction(resolver);
  if (typeof resolver === "object" && resolver !== null && typeof resolver.resolve === "function") {
    return resolver;
  }
  throw new PermissionGateError("invalid_option", "a member is neither an AskResolver nor a function");
}

/** At least one, in a list that the caller can no longer change. */
export function toMembers(resolvers: readonly ComposableResolver[]): readonly AskResolver[] {
  const members = Array.from(resolvers, toMember);
  if (members.length === 0) throw new PermissionGateError("invalid_option", "there is nobody to ask");
  return members;
}

/** Whether it needs somebody at this very terminal or window; whatever does not say otherwise does. */
export function isInteractive(member: AskResolver): boolean {
  return member.interactive !== false;
}

function askingFunction(ask: AskFunction): AskResolver {
  return {
    interactive: true,
    async resolve(pending, { signal }) {
      const answer = await ask(pending.prompt, pending.tool, { signal, ask: pending });
      if (answer === true) return "Approve";
      return answer === false ? "Deny" : answer;
    },
  };
}
