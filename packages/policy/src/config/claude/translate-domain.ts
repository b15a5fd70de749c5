import type { RuleEffect } from "@x/permission-core";
import { exactly, type Translation, untranslated, wider } from "./translation.js";

/**
 * `WebFetch(domain:…)`: there one host, here also its subdomains. An allow names the host's own addresses instead, those
 * with `https:`.
 */
export function translateDomain(pattern: string, effect: RuleEffect): Translation {
  if (pattern === "*") return exactly("");
  const domain = /^domain:\s*(\*\.)?([\p{L}\p{N}.-]+)$/u.exec(pattern);
  if (domain === null) return untranslated("is no domain: write WebFetch(domain:example.com)");
  const [, anyBelow, host = ""] = domain;
  if (effect !== "allow") return exactly(`domain:${host}`);
  if (anyBelow === undefined) return exactly(`https://${host}`, `https://${host}/*`);
  return wider("is no single host: write it into a permission file");
}
