import { readAddress } from "./read-address.js";

/** The address as written, and as a program would read it where that changes more than the host's case and a `/`. */
export function addressForms(written: string): string[] {
  if (isSettled(written)) return [written];
  const url = readAddress(written)?.[0]?.urls.find(({ host }) => host !== "");
  return url === undefined || url.href === written ? [written] : [written, url.href];
}

/**
 * The same and every other address that leads to the same place, for rules that tighten: behind schemes around it, without
 * user and password, without the dot behind the host, with what is percent-encoded decoded. null: nobody can tell.
 */
export function equalAddresses(written: string): ReadonlySet<string> | null {
  const readings = readAddress(written);
  if (readings === null) return null;
  if (last !== null && last.readings === readings) return last.forms;
  const forms = new Set([written]);
  for (const { text, urls } of readings) {
    forms.add(text);
    for (const url of urls) addForms(forms, url);
  }
  last = { readings, forms };
  return forms;
}

/** Those of the last address: all rules that speak of one are asked in turn. */
let last: { readonly readings: object; readonly forms: ReadonlySet<string> } | null = null;

/** A pattern of an address as written, with scheme and host in lower case, and with what is percent-encoded decoded. */
export function equalPatterns(pattern: string): string[] {
  const lower = pattern.replace(/^[^/]*:\/\/[^/]*/, (start) => start.toLowerCase());
  return [...new Set([pattern, lower, decoded(lower)])];
}

function addForms(forms: Set<string>, url: URL): void {
  forms.add(url.href);
  if (url.host === "") return;
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  if (plain.hostname.endsWith(".")) plain.hostname = plain.hostname.slice(0, -1);
  forms.add(plain.href);
  const read = decoded(plain.href);
  if (read === plain.href) return;
  forms.add(decoded(url.href)).add(read);
  if (URL.canParse(read)) forms.add(new URL(read).href);
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** No upper case in scheme and host, no port, nothing in front of the host, and no character or name that is read in two ways. */
function isSettled(address: string): boolean {
  return SETTLED.test(address) && !UNSETTLED.test(address);
}

const SETTLED = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?:[/?#]|$)/;
/** A name of dots, in whatever spelling, or what readers drop, turn or encode. */
const UNSETTLED = /[^!-~]|\\|\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;
