import { isDangerousVariable } from "./tables/dangerous-variables.js";

/** Variables that a shell needs, and that its user set. */
const KEPT: ReadonlySet<string> = new Set(["PATH", "HOME", "PWD", "LANG", "LANGUAGE", "SHELL"]);
const KEPT_FORMS = /^(?:LC_[A-Z]+|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS)$/;
const NAME = /^[A-Za-z_]\w*$/;
/** What arithmetic, a prompt or a subscript would run. */
const EVALUATED = /[`$[\]]|\(\)/;

/**
 * An environment in which a command's text means what it says: a copy of `env` without functions, start-up files, variables
 * that change how a shell or the programs it starts behave, and values that a shell might evaluate. `PATH`, `HOME` and the
 * locale stay. No analysis of a command's text can see what its environment adds to it.
 */
export function cleanShellEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !NAME.test(name) || EVALUATED.test(value)) continue;
    if (KEPT.has(name) || KEPT_FORMS.test(name) || !isDangerousVariable(name)) clean[name] = value;
  }
  return clean;
}
