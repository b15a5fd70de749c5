import { createHash } from "node:crypto";
import fnv1a from "@sindresorhus/fnv1a";
import { argsDigest, type JsonValue } from "@x/permission-core";
import canonicalize from "canonicalize";
import objectHash from "object-hash";
import stableStringify from "safe-stable-stringify";
import { type DigestInputName, digestInputs } from "./digest-inputs.js";
import { measure, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

const utf8Buffer = new Uint8Array(1 << 17);

/** Everything that makes an identifier of a value, whatever the order of its keys. */
const peers = {
  "canonicalize + fnv1a": (value: JsonValue) => fnvHex(canonicalize(value) ?? ""),
  "safe-stable-stringify + fnv1a": (value: JsonValue) => fnvHex(stableStringify(value) ?? ""),
  "object-hash": (value: JsonValue) => objectHash(value),
  "canonicalize + SHA-256": (value: JsonValue) => sha256Hex(canonicalize(value) ?? ""),
};
type PeerName = keyof typeof peers;

const peerNames = Object.keys(peers) as PeerName[];
/** Those that claim the very digest that `argsDigest` gives. */
const fnvPeers: PeerName[] = ["canonicalize + fnv1a", "safe-stable-stringify + fnv1a"];
const SHA: PeerName = "canonicalize + SHA-256";

type Times = Record<PeerName | "JSON.stringify" | "argsDigest", number>;

/** `argsDigest` beside plain `JSON.stringify` and beside other ways to the same end. */
export async function runDigestBenchmark(): Promise<BenchmarkSection> {
  const names = Object.keys(digestInputs) as DigestInputName[];
  const mismatches = names.flatMap((name) => mismatchesOf(name, digestInputs[name]));
  const times = new Map<DigestInputName, Times>();
  for (const name of names) times.set(name, await timesOf(digestInputs[name]));
  const ratio = (name: DigestInputName, slower: keyof Times, faster: keyof Times) => {
    const measured = times.get(name);
    return measured === undefined ? Number.NaN : measured[slower] / measured[faster];
  };
  const isFasterThan = (rivals: readonly PeerName[]) =>
    names.every((name) => rivals.every((rival) => ratio(name, rival, "argsDigest") > 1));
  return {
    title: "Digest of a call's arguments",
    notes: [
      "Median time per call. In brackets: `argsDigest` against `JSON.stringify`, and every peer against `argsDigest`.",
      "`fnv1a` is `@sindresorhus/fnv1a` with 64 bits and a reused buffer, `object-hash` its default (SHA-1), SHA-256 " +
        "that of `node:crypto`. All give hex.",
      mismatches.length === 0
        ? "Checked before measuring: both FNV peers give the digest of `argsDigest` on all inputs."
        : `FNV peers that give another digest than \`argsDigest\`: ${mismatches.join("; ")}.`,
      utf16Note(),
      "In one long string all is hashing. There `object-hash` can win: processors compute SHA-1 and SHA-256 by " +
        "instructions of their own, while every byte of FNV waits for the multiplication of the byte before it.",
    ],
    table: {
      columns: ["input", "bytes", "JSON.stringify", "argsDigest", ...peerNames],
      rows: names.map((name) => {
        const measured = times.get(name);
        const cell = (column: keyof Times, against: keyof Times) =>
          `${showTime(measured?.[column] ?? Number.NaN)} (${ratio(name, column, against).toFixed(2)} ×)`;
        return [
          name,
          String(Buffer.byteLength(JSON.stringify(digestInputs[name]))),
          showTime(measured?.["JSON.stringify"] ?? Number.NaN),
          cell("argsDigest", "JSON.stringify"),
          ...peerNames.map((peer) => cell(peer, "argsDigest")),
        ];
      }),
    },
    goals: [
      {
        text: "`argsDigest` takes at most 2.5 times as long as plain `JSON.stringify`, on every input",
        met: names.every((name) => ratio(name, "argsDigest", "JSON.stringify") <= 2.5),
      },
      {
        text: "`argsDigest` is faster than every other FNV combination, on every input",
        met: isFasterThan(fnvPeers),
      },
      {
        text: "`argsDigest` is faster than `object-hash`, on every input",
        met: isFasterThan(["object-hash"]),
      },
      {
        text: "`argsDigest` is at least 3 times as fast as canonicalize + SHA-256 at 30 B and 3.5 kB",
        met: ratio("30 B", SHA, "argsDigest") >= 3 && ratio("3.5 kB deep", SHA, "argsDigest") >= 3,
      },
      {
        text: "`argsDigest` is at least 1.5 times as fast as canonicalize + SHA-256 at 700 B",
        met: ratio("700 B with escapes", SHA, "argsDigest") >= 1.5,
      },
    ],
  };
}

function timesOf(value: JsonValue): Promise<Times> {
  const candidates = peerNames.map((peer) => [peer, () => peers[peer](value)] as const);
  return measure({
    "JSON.stringify": () => JSON.stringify(value),
    argsDigest: () => argsDigest(value),
    ...(Object.fromEntries(candidates) as Record<PeerName, () => unknown>),
  });
}

function mismatchesOf(name: DigestInputName, value: JsonValue): string[] {
  const digest = argsDigest(value);
  return fnvPeers.filter((peer) => peers[peer](value) !== digest).map((peer) => `${peer} on ${name}`);
}

/** The inputs have plain keys; this is what happens beyond the Basic Multilingual Plane. */
function utf16Note(): string {
  const value = { "\ue000": 1, "😀": 2 };
  const apart = fnvPeers.filter((peer) => peers[peer](value) !== argsDigest(value));
  return apart.length === 0
    ? "Keys beyond U+FFFF: both FNV peers still agree."
    : `Keys beyond U+FFFF sort by code point in \`argsDigest\` and by UTF-16 unit elsewhere, so there the digest of ${apart.join(" and ")} differs.`;
}

function fnvHex(text: string): string {
  return fnv1a(text, { size: 64, utf8Buffer }).toString(16).padStart(16, "0");
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
