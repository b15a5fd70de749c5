import { CHAIN_BEGIN, type ChainHead, seal } from "../../../src/ledger/chain.js";
import { LEDGER_VERSION, lineText } from "../../../src/ledger/ledger-line.js";
import { LineSplitter } from "../../../src/ledger/line-splitter.js";
import { SeriesVerifier, type VerifiedSeries } from "../../../src/ledger/verify-series.js";
import { pre } from "./events.js";

/** The lines of a chained file: its start, and one call for each name. */
export function chainedLines(
  names: readonly string[],
  after: { file: string; head: ChainHead } | null = null,
) {
  let head = after?.head ?? CHAIN_BEGIN;
  const previous = after === null ? null : { file: after.file, hash: after.head.hash };
  const lines = [
    lineText({ v: LEDGER_VERSION, type: "ledger.start", previous, ts: 1 }),
    ...names.map((name) => lineText({ v: LEDGER_VERSION, type: "tool.call", ...pre, tool: name })),
  ].map((text) => {
    const sealed = seal(text, head);
    head = sealed.head;
    return sealed.text;
  });
  return { lines, head };
}

/** Verifies texts as the files `1`, `2` … of one writer, and one byte at a time where told so. */
export function verifyTexts(
  texts: readonly (string | Uint8Array)[],
  { expected = new Set<string>(), chunk = Number.POSITIVE_INFINITY } = {},
): VerifiedSeries {
  const verifier = new SeriesVerifier(expected);
  for (const [index, text] of texts.entries()) {
    verifier.beginFile(String(index + 1));
    const splitter = new LineSplitter();
    const bytes = Buffer.from(text as string);
    for (let at = 0; at < bytes.length; at += Math.min(chunk, bytes.length)) {
      for (const line of splitter.push(bytes.subarray(at, at + chunk))) verifier.line(line);
    }
    for (const line of splitter.end()) verifier.line(line);
    verifier.endFile();
  }
  return verifier.result;
}
