import { LONGEST_ADDRESS, readAddress } from "./read-address.js";

/**
 * Every host that an address may lead to: by the WHATWG's rules, which browsers and `fetch` follow, behind schemes around it,
 * and what others make of it where it holds what they disagree on (`\` or `@` in front of the path, white space). Lower case,
 * without the dot at the end. An address without a scheme is read as one of `https`. null: nobody can tell any.
 */
export function possibleHosts(address: string): ReadonlySet<string> | null {
  const readings = readAddress(address);
  if (readings === null) return null;
  if (last !== null && last.readings === readings) return last.hosts;
  const found = new Set<string>();
  for (const { text, urls } of readings) {
    for (const url of urls) found.add(plainHost(url.hostname));
    for (const host of literalHosts(text)) found.add(host);
  }
  found.delete("");
  const hosts = found.size === 0 ? null : found;
  last = { readings, hosts };
  return hosts;
}

/** Those of the last address: all rules that speak of one are asked in turn. */
let last: { readonly readings: object; readonly hosts: ReadonlySet<string> | null } | null = null;

/**
 * The one host of an address that all programs read alike: `http`, `https` or no scheme, nothing in front of the
 * host, and the host spelled as the WHATWG's rules give it. null: it is no such address.
 */
export function agreedHost(address: string): string | null {
  if (address.length > LONGEST_ADDRESS) return null;
  const parts = AGREED.exec(address);
  const [, scheme, host = "", port] = parts ?? [];
  if (parts === null || (scheme === undefined && port !== undefined && !HOST.test(host))) return null;
  const spelled =
    scheme === undefined ? `https://${address}` : scheme === "//" ? `https:${address}` : address;
  if (!URL.canParse(spelled)) return null;
  const { hostname } = new URL(spelled);
  return plainHost(hostname) === plainHost(literalHost(host)) ? plainHost(hostname) : null;
}

/** Scheme, host and port. */
const AGREED = /^((?:https?:)?\/\/)?([\p{L}\p{M}\p{N}._-]+|\[[0-9a-f:.]+\])(:\d+)?(?:[/?#]|$)/iu;
const HOST = /^(?:.*\..*|\[.*|localhost)$/i;

/** Letters of other scripts as the domain name system spells them, where they have no other spelling. */
function literalHost(host: string): string {
  if (/^[!-~]*$/.test(host) || host.normalize("NFKC") !== host) return host;
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : host;
}

/** Whether no host is given behind `domain:`, so that an allow means none and a deny or ask may mean all. */
export function namesNoHost(pattern: string): boolean {
  return pattern.startsWith(DOMAIN) && /^[\s.]*$/.test(pattern.slice(DOMAIN.length));
}

/** What follows `domain:` as patterns for hosts: itself, and anything below it. null: the pattern is no such one. */
export function hostPatternOf(pattern: string): string[] | null {
  if (!pattern.startsWith(DOMAIN)) return null;
  const given = pattern.slice(DOMAIN.length).trim();
  const host = plainHost(/[*?]/.test(given) ? given : hostNamed(given));
  return [host, `*.${host}`];
}

const DOMAIN = "domain:";

function hostNamed(given: string): string {
  const spelled = given.includes("://") ? given : `https://${given}`;
  return URL.canParse(spelled) ? new URL(spelled).hostname : given;
}

/** What may be taken for a host in front of the path, where more than a host and its port stands there. */
function literalHosts(text: string): string[] {
  const authority = /^[/\\]*([^/?#]*)/.exec(text)?.[1] ?? "";
  if (!/[\\@\s]/.test(authority)) return [];
  return authority.split(/[\\@\s]/).flatMap((part) => {
    const host = plainHost(part.replace(/:\d*$/, ""));
    return isHost(host) ? [host] : [];
  });
}

/** Longer names than this the domain name system does not have. */
const LONGEST_HOST = 255;

function isHost(host: string): boolean {
  if (host.length > LONGEST_HOST) return false;
  return host === "localhost" || /^\[.+\]$/.test(host) || (host.includes(".") && !host.includes(":"));
}

function plainHost(host: string): string {
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}
