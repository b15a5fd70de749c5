import { readFileSync, realpathSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BadInput, messageOf } from "./bad-input.js";
import { type RecordedCall, recordedCalls } from "./transcript-calls.js";

const LARGEST_FILE = 16 * 1024 * 1024;

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
 * Throws `BadInput` for a file that cannot be read, malformed JSON, malformed calls, and a session without any.
 */
export function readTranscript(file: string = SHIPPED[0] ?? ""): Transcript {
  const calls = recordedCalls(messagesOf(parse(file), file), file);
  if (calls.length === 0) throw new BadInput(`${file} holds no tool calls`);
  return { file, isShipped: SHIPPED.some((shipped) => isSameFile(shipped, file)), calls };
}

function parse(file: string): unknown {
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > LARGEST_FILE) throw new Error("it is larger than 16 MiB");
    text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    throw new BadInput(`the transcript ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new BadInput(`the transcript ${file} is no JSON: ${messageOf(cause)}`, { cause });
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
