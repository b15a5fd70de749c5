/**
 * The hosts that an address may lead to: the one by the WHATWG's rules, which browsers and `fetch` follow, and what others
 * make of it where it holds what they disagree on (`\` or `@` in front of the path, white space). Lower case, without the dot
 * at the end. An address without a scheme is read as one of `https`. Empty: there is none.
 */
export function hostsOf(text: string): string[] {
  const url = parse(text);
  const host = url === null ? "" : plainHost(url.hostname);
  const hosts = host === "" ? [] : [host];
  for (const named of disputed(text)) if (!hosts.includes(named)) hosts.push(named);
  return hosts;
}

/** The address as written, and as a program would read it where that changes more than the host's case and a `/`. */
export function addressForms(written: string): string[] {
  if (isSettled(written)) return [written];
  const url = parse(written);
  return url === null || url.href === written ? [written] : [written, url.href];
}

/** What follows `domain:` as patterns for hosts: itself, and anything below it. null: the pattern is no such one. */
export function hostPatternOf(pattern: string): string[] | null {
  if (!pattern.startsWith(DOMAIN)) return null;
  const given = pattern.slice(DOMAIN.length).trim();
  const host = /[*?]/.test(given)
    ? given.toLowerCase()
    : plainHost(parse(`https://${given}`)?.hostname ?? given);
  return [host, `*.${host}`];
}

const DOMAIN = "domain:";

/** No upper case in scheme and host, no port, nothing in front of the host, and no character or name that is read in two ways. */
function isSettled(address: string): boolean {
  return SETTLED.test(address) && !UNSETTLED.test(address);
}

const SETTLED = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?:[/?#]|$)/;
/** A name of dots, in whatever spelling, or what readers drop, turn or encode. */
const UNSETTLED = /[^!-~]|\\|\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

function parse(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && url.host !== "") return url;
  const inferred = `https://${text}`;
  return !text.includes("://") && URL.canParse(inferred) ? new URL(inferred) : url;
}

/** Hosts that only some readers see. */
function disputed(text: string): string[] {
  const authority = /^(?:[^/?#\\]*:)?[/\\]{2,}([^/?#]*)/.exec(text.trim())?.[1] ?? "";
  if (!/[\\@\s]/.test(authority)) return [];
  return authority.split(/[\\@\s]/).flatMap((part) => {
    const host = plainHost(part.replace(/:\d*$/, ""));
    return HOST.test(host) ? [host] : [];
  });
}

const HOST = /^(?:[^\s:/?#@\\]+\.[^\s:/?#@\\]+|\[.+\]|localhost)$/;

function plainHost(host: string): string {
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}
