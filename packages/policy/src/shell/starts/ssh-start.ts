import { readOptions } from "../options.js";
import type { ReadWord } from "../read-word.js";
import { WRAPPER_BY_NAME } from "../tables/wrappers.js";
import { opaqueStart, type Start } from "./start.js";
import { wrapperStart } from "./wrapper-start.js";

/** Settings of `ssh -o` that start nothing on this machine. */
const HARMLESS =
  /^(?:BatchMode|ConnectTimeout|ConnectionAttempts|StrictHostKeyChecking|UserKnownHostsFile|LogLevel|ServerAlive\w+|Port|User|Compression|IdentitiesOnly|IdentityFile|PasswordAuthentication|RequestTTY)\s*[= ]/i;

/** With these, no shell is started. */
const NO_SHELL: ReadonlySet<string> = new Set(["-N", "-n", "-V", "-G", "-Q", "-O", "-W"]);

/** `ssh`: a host, then words for its shell. Options may start a program here, before the host and after it. */
export function sshStart(words: readonly ReadWord[]): Start | null {
  const shape = WRAPPER_BY_NAME.get("ssh");
  if (shape === undefined) return null;
  const { options, firstOperand, unsure } = readOptions(words, shape);
  if (unsure) return opaqueStart("ssh: what it starts cannot be told");
  for (const { name, value } of options) {
    if (name === "-F" || name === "-I" || name === "-E" || name === "-S") {
      return opaqueStart("ssh: an option names a file that matters");
    }
    if (name === "-o" && !HARMLESS.test(value ?? ""))
      return opaqueStart("ssh: an option may start a program");
  }
  const after = words[firstOperand + 1];
  if (after !== undefined) return wrapperStart("ssh", words);
  return options.some((option) => NO_SHELL.has(option.name)) ? null : opaqueStart("ssh runs what it reads");
}
