/** Plain, slow and independent of the package: what its fast paths are compared with. */

const MASK = 0xffff_ffff_ffff_ffffn;

export function referenceFnv(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  return hash.toString(16).padStart(16, "0");
}

export function referenceDigest(value: unknown): string {
  return referenceFnv(new TextEncoder().encode(referenceCanonical(value)));
}

/** For values that are JSON: sorted by the UTF-8 bytes of the keys, as `Buffer` compares them. */
export function referenceCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(referenceCanonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${referenceCanonical(member)}`).join(",")}}`;
}
