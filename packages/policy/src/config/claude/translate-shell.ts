import type { RuleEffect } from "@x/permission-core";
import { exactly, type Translation, untranslated } from "./translation.js";

/**
 * `Bash(…)`: there `*` is a wildcard, a trailing `:*` makes a prefix, `\*` is a star, and nothing else is special. Here `?`
 * and a trailing colon are special too and `\` is not, so an allow that has these is compared literally or left out. A deny
 * or ask only gets wider by them.
 */
export function translateShell(pattern: string, effect: RuleEffect): Translation {
  if (pattern === "*" || pattern === ":*") return exactly("");
  const unescaped = pattern.replace(/\\([*\\])/g, "$1");
  if (effect !== "allow") return exactly(...new Set([pattern, unescaped]));
  const prefix = pattern.endsWith(":*") ? pattern.slice(0, -2) : null;
  if (prefix !== null) return /[*?\\]/.test(prefix) ? MIXED : exactly(pattern);
  if (!pattern.includes("*")) return { patterns: [{ pattern, exact: true }], difference: null };
  return /[?\\]|:$/.test(pattern) ? MIXED : exactly(pattern);
}

const MIXED = untranslated(
  "mixes wildcards with characters that mean something else here: write it into a permission file",
);
