import type { RuleEffect, RuleScope } from "@x/permission-core";
import { ALTERNATIVES, hasAlternatives } from "../permissions/suspect-pattern.js";
import { exactly, type Translation, untranslated, wider } from "./translation.js";

interface AnchoredPattern {
  /** what stands before the rest, here; several where it is not sure which is meant */
  readonly anchors: readonly string[];
  readonly rest: string;
  /** whether it may begin at any depth */
  readonly floats: boolean;
}

/**
 * Paths as in `.gitignore`: `//x` begins at the file system's root, `~/x` at home, `/x` at the project, anything else where
 * Claude was started, taken to be the workspace; a name without a slash is meant at any depth, and whatever names a folder
 * means all that is in it.
 */
export function translatePath(pattern: string, effect: RuleEffect, scope: RuleScope): Translation {
  if (pattern.startsWith("!") || pattern.startsWith("#")) {
    return untranslated("negates a pattern or is a comment: write it into a permission file");
  }
  const anchored = anchor(pattern, scope);
  return effect === "allow" ? allowed(anchored) : forbidden(anchored);
}

function anchor(pattern: string, scope: RuleScope): AnchoredPattern {
  if (pattern.startsWith("//")) {
    const rest = pattern.slice(2);
    const drive = /^[A-Za-z]\//.test(rest);
    if (!drive) return { anchors: ["/"], rest, floats: false };
    return { anchors: ["/", `${rest.slice(0, 1)}:/`], rest, floats: false };
  }
  if (pattern.startsWith("~/")) return { anchors: ["~/"], rest: pattern.slice(2), floats: false };
  if (pattern.startsWith("/")) {
    const isProject = scope === "local-project" || scope === "shared-project";
    // Elsewhere it may be meant from the project, from the settings' own folder or from the root.
    const rest = pattern.slice(1);
    const here = relative(rest);
    return { anchors: isProject ? [here] : [here, "~/.claude/", "/"], rest, floats: false };
  }
  if (pattern.startsWith("./")) {
    const rest = pattern.replace(/^\.\/+/, "");
    return { anchors: [relative(rest)], rest, floats: false };
  }
  const floats = !pattern.replace(/\/$/, "").includes("/");
  return { anchors: [relative(pattern)], rest: pattern, floats };
}

/** What keeps a path relative that begins with the name of a home folder or drive. */
function relative(rest: string): string {
  return /^(?:~|[A-Za-z]:)/.test(rest) ? "./" : "";
}

/** Only what surely says the same. A wildcard at the end does not reach into the folders that it names. */
function allowed({ anchors, rest, floats }: AnchoredPattern): Translation {
  const [start] = anchors;
  if (start === undefined || anchors.length > 1) {
    return untranslated(
      "may be meant from several folders: begin it with // or ~/, or write it into a permission file",
    );
  }
  const segments = rest.split("/");
  if (segments.includes("..") || segments.includes(".") || rest.startsWith("..")) {
    return untranslated("leads through . or .., which no path there does: write it into a permission file");
  }
  if (hasAlternatives(rest)) return untranslated(ALTERNATIVES);
  if (/:\*?$/.test(rest)) {
    return untranslated("ends in a colon, which makes a prefix here: write it into a permission file");
  }
  if (/[?[\]\\]/.test(rest) || segments.some((name) => name !== "**" && name.includes("**"))) {
    return untranslated("has wildcards that mean something else here: write it into a permission file");
  }
  if (rest === "*" || rest === "**" || rest === "") return exactly(`${start}**`);
  const last = segments.at(-1) ?? "";
  const named = rest.replace(/\/$/, "");
  const covered = last === "" ? [`${named}/**`] : last.includes("*") ? [rest] : [rest, `${rest}/**`];
  return exactly(
    ...covered.flatMap((path) => [`${start}${path}`, ...(floats ? [`${start}**/${path}`] : [])]),
  );
}

/** All that it says at least. `*` crosses folders here, and a colon at the end would make a prefix. */
function forbidden({ anchors, rest, floats }: AnchoredPattern): Translation {
  const plain = rest
    .replace(/\/$/, "")
    .replace(/\[[^\]]*\]/g, "*")
    .replace(/\\.?/g, "?")
    .replace(/[[\]]/g, "?")
    .replace(/\/\*\*(?=\/)/g, "/*")
    .replace(/\/\*\/+/g, "/*")
    .replace(/:\*$/, ":**")
    .replace(/:$/, "?");
  const path = floats ? `**/${plain}` : plain;
  const patterns = anchors.flatMap((start) =>
    start.endsWith(":/")
      ? [`${start}${path.slice(2)}`, `${start}${path.slice(2)}/**`]
      : [`${start}${path}`, `${start}${path}/**`],
  );
  if (hasAlternatives(rest)) return wider(ALTERNATIVES, ...patterns);
  if (!/[[\]\\]/.test(rest)) return exactly(...patterns);
  return wider("has brackets or backslashes, which are read as wildcards here", ...patterns);
}
