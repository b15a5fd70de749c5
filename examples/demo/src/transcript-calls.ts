import type { JsonValue } from "@x/permission-core";
import * as z from "zod";
import { BadInput } from "./bad-input.js";

/** A call as the model made it. OpenAI's form has the arguments as text, whose digest is the one that counts. */
export interface RecordedCall {
  toolName: string;
  /** not used twice in a session */
  callId: string;
  /** which message of the session, from 0 */
  turn: number;
  args: { input: JsonValue } | { inputText: string };
}

/** The arguments of a call as a value, to be shown; text that is no JSON stands for itself. */
export function inputOf({ args }: RecordedCall): JsonValue {
  if ("input" in args) return args.input;
  try {
    return JSON.parse(args.inputText) as JsonValue;
  } catch {
    return args.inputText;
  }
}

const idSchema = z.string().min(1).max(100);
const nameSchema = z.string().min(1).max(200);
const toolUseSchema = z.object({ id: idSchema, name: nameSchema, input: z.custom<JsonValue>() });
const toolCallSchema = z.object({
  id: idSchema,
  type: z.literal("function").optional(),
  function: z.object({ name: nameSchema, arguments: z.string() }),
});

const messageSchema = z.object({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).nullish(),
});

/** The calls of all assistant messages, in order. Throws `BadInput` naming `file` and the place. */
export function recordedCalls(messages: readonly unknown[], file: string): RecordedCall[] {
  const calls = messages.flatMap((message, turn) => callsOf(message, turn, file));
  return withOwnIds(calls);
}

function callsOf(message: unknown, turn: number, file: string): RecordedCall[] {
  const place = `${file}, message ${turn + 1}`;
  const { role, content, tool_calls: toolCalls } = take(messageSchema, message, place);
  if (role !== "assistant") return [];
  const blocks = Array.isArray(content) ? content.filter(isToolUse) : [];
  return [
    ...blocks.map((block, index) => {
      const { id, name, input } = take(toolUseSchema, block, `${place}, tool_use ${index + 1}`);
      return { toolName: name, callId: id, turn, args: { input } };
    }),
    ...(toolCalls ?? []).map((call, index) => {
      const { id, function: called } = take(toolCallSchema, call, `${place}, tool_calls ${index + 1}`);
      return { toolName: called.name, callId: id, turn, args: { inputText: called.arguments } };
    }),
  ];
}

function isToolUse(block: unknown): boolean {
  return typeof block === "object" && block !== null && "type" in block && block.type === "tool_use";
}

function take<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const taken = schema.safeParse(value);
  if (taken.success) return taken.data;
  const [issue] = taken.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new BadInput(`${place}${field === "" ? "" : `, ${field}`}: ${issue?.message ?? "malformed"}`);
}

/** Some providers number the calls of every turn anew. In the ledger each call has an id of its own. */
function withOwnIds(calls: readonly RecordedCall[]): RecordedCall[] {
  const used = new Set<string>();
  return calls.map((call) => {
    let callId = call.callId;
    for (let copy = 2; used.has(callId); copy++) callId = `${call.callId}#${copy}`;
    used.add(callId);
    return { ...call, callId };
  });
}
