import { basename, dirname, join } from "node:path";

/** Stem, `.w2` for the second writer of the same ledger, `.000001` for a part that was rotated away, extension. */
const NAME = /^(.+?)(?:\.w(\d+))?(?:\.(\d{6,7}))?(\.[^.]*)?$/s;

/** A file of a ledger, by its name. */
interface LedgerName {
  folder: string;
  stem: string;
  extension: string;
  /** from 1 */
  writer: number;
  /** from 1; Infinity for the file that is being written */
  part: number;
}

function parseName(file: string): LedgerName {
  const name = basename(file);
  const [, stem = name, writer, part, extension = ""] = NAME.exec(name) ?? [];
  return {
    folder: dirname(file),
    stem,
    extension,
    writer: writer === undefined ? 1 : Number(writer),
    part: part === undefined ? Number.POSITIVE_INFINITY : Number(part),
  };
}

/** The file that a writer of the ledger `file` writes: `ledger.jsonl` itself, `ledger.w2.jsonl`, `ledger.w3.jsonl`. */
export function fileOfWriter(file: string, writer: number): string {
  if (writer === 1) return file;
  const [stem, extension] = halves(file);
  return join(dirname(file), `${stem}.w${writer}${extension}`);
}

/** What the file of a writer is called once rotated away: `ledger.000001.jsonl`, which sorts before `ledger.jsonl`. */
export function fileOfPart(file: string, part: number): string {
  const [stem, extension] = halves(file);
  return join(dirname(file), `${stem}.${String(part).padStart(6, "0")}${extension}`);
}

/** The number of the part of `file` that `other` is; null where it is none. */
export function partOf(file: string, other: string): number | null {
  const { part } = parseName(other);
  return Number.isFinite(part) && fileOfPart(file, part) === other ? part : null;
}

/** Whether `other`, in the same folder, belongs to the ledger `file`, of whichever writer. */
export function isOfLedger(file: string, other: string): boolean {
  const { writer, part } = parseName(other);
  const written = fileOfWriter(file, writer);
  return other === (Number.isFinite(part) ? fileOfPart(written, part) : written);
}

/** In the order of writing, one writer after the other. */
export function sortLedgerFiles(files: readonly string[]): string[] {
  const named = files.map((file) => ({ file, name: parseName(file) }));
  named.sort(
    (left, right) =>
      compare(left.name.folder, right.name.folder) ||
      compare(left.name.stem, right.name.stem) ||
      compare(left.name.extension, right.name.extension) ||
      left.name.writer - right.name.writer ||
      compare(left.name.part, right.name.part),
  );
  return named.map(({ file }) => file);
}

/** The same for all files of one writer of one ledger, and for no other. */
export function seriesOf(file: string): string {
  const { folder, stem, writer, extension } = parseName(file);
  return join(folder, `${stem}.w${writer}${extension}`);
}

function halves(file: string): [stem: string, extension: string] {
  const name = basename(file);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}

function compare<Value extends string | number>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
