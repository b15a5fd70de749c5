import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BadInput, messageOf } from "./bad-input.js";
import { type RecordedCall, recordedCalls } from "./transcript-calls.js";

const LARGEST_FILE = 16 * 1024 * 1024;
/** Opening must not wait for the other end of a pipe. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const SHIPPED = ["anthropic-session.json", "openai-session.json"].map((name) =>
  fileURLToPath(new URL(`../../transcripts/${name}`, import.meta.url)),
);

export interface Transcript {
  file: string;
  /** Whether it is one of ours: only their questions does the script know. */
  isShipped: boolean;
  calls: RecordedCall[];
}

/**
 * Reads a session: a JSON array of messages, or an object that has one as `messages`. Runs nothing.
 * Throws `BadInput` for what is no regular file or cannot be read, malformed JSON, malformed calls, and a session without any.
 */
export function readTranscript(file: string = SHIPPED[0] ?? ""): Transcript {
  const calls = recordedCalls(messagesOf(parse(file), file), file);
  if (calls.length === 0) throw new BadInput(`${file} holds no tool calls`);
  return { file, isShipped: SHIPPED.some((shipped) => isSameFile(shipped, file)), calls };
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readRegularFile(file).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new BadInput(`the transcript ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new BadInput(`the transcript ${file} is no JSON: ${messageOf(cause)}`, { cause });
  }
}

/** What is read is what counts: some files of the system say that they are empty, and others grow meanwhile. */
function readRegularFile(file: string): string {
  const handle = openSync(file, READ);
  try {
    if (!fstatSync(handle).isFile()) throw new Error("it is not a regular file");
    const bytes = Buffer.allocUnsafe(LARGEST_FILE + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null);
    }
    if (length > LARGEST_FILE) throw new Error("it is larger than 16 MiB");
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(handle);
  }
}

function messagesOf(value: unknown, file: string): unknown[] {
  const messages = isObject(value) ? value["messages"] : value;
  if (Array.isArray(messages)) return messages;
  throw new BadInput(`${file} is neither an array of messages nor an object that has one as "messages"`);
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSameFile(left: string, right: string): boolean {
  try {
    return realpathSync(left) === realpathSync(right);
  } catch {
    return false;
  }
}
