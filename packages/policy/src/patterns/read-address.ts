/** The longest address that is read, in code units. Nobody tells hosts in a longer one: it is denied rather than allowed. */
export const LONGEST_ADDRESS = 8192;

/** More schemes around one another than this are not taken off: nobody can tell what the address leads to. */
const MOST_SCHEMES = 8;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HIERARCHICAL = /^[a-z][a-z0-9+.-]*:\/\//i;

/** One thing that an address may be taken for. */
export interface AddressReading {
  /** without the schemes around it */
  readonly text: string;
  /** by the WHATWG's rules, as written and, where it has no scheme with `//`, as one of `https` and of `http` */
  readonly urls: readonly URL[];
}

/**
 * All that some program may take an address for: itself, and what stands behind each scheme in front (`view-source:https://…`).
 * null: it is too long or too deep to tell.
 */
export function readAddress(address: string): readonly AddressReading[] | null {
  if (address.length > LONGEST_ADDRESS) return null;
  if (last !== null && last.address === address) return last.readings;
  const readings = readingsOf(address.trim());
  last = { address, readings };
  return readings;
}

/** The last one: all rules that speak of an address are asked in turn. */
let last: { readonly address: string; readonly readings: readonly AddressReading[] | null } | null = null;

function readingsOf(address: string): AddressReading[] | null {
  const readings: AddressReading[] = [];
  let text = address;
  for (let count = 0; count <= MOST_SCHEMES; count++) {
    readings.push({ text, urls: urlsOf(text) });
    const scheme = SCHEME.exec(text)?.[0];
    if (scheme === undefined) return readings;
    text = text.slice(scheme.length).trim();
  }
  return null;
}

function urlsOf(text: string): URL[] {
  const spelled = HIERARCHICAL.test(text) ? [text] : [text, `https://${text}`, `http://${text}`];
  return spelled.flatMap((each) => (URL.canParse(each) ? [new URL(each)] : []));
}
