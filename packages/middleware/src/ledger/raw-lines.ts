import { createReadStream } from "node:fs";
import { PermissionGateError } from "@x/permission-core";
import { LineSplitter, type RawLine } from "./line-splitter.js";

const READ_BYTES = 262_144;

/** The lines of a file in their order, some at a time. Throws `storage` naming the file. */
export async function* rawLines(file: string): AsyncGenerator<RawLine[], void> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
      yield splitter.push(chunk as Buffer);
    }
  } catch (cause) {
    throw new PermissionGateError("storage", `The ledger ${file} could not be read.`, { cause });
  }
  yield splitter.end();
}
