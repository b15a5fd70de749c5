import * as z from "zod/mini";
import type { AskAnswer, PendingAsk } from "./ask.js";
import { idSchema, jsonValueSchema, parseWire, wholeNumberSchema, wireRecord } from "./wire-schema.js";

const rememberSchema = z.enum(["session", "this_call", "this_tool"]);

/** An ask as it travels. Fields that are unset are left out. */
export const pendingAskSchema: z.ZodMiniType<PendingAsk> = wireRecord({
  id: idSchema,
  session_id: idSchema,
  run_id: idSchema,
  turn: wholeNumberSchema,
  call_id: z.string(),
  tool: z.string(),
  args_digest: z.string(),
  prompt: z.string(),
  details: z.exactOptional(z.string()),
  expires_at_ms: z.exactOptional(wholeNumberSchema),
  descriptor_digest: z.exactOptional(z.string()),
  descriptor_changed: z.exactOptional(z.boolean()),
  agent: z.exactOptional(z.string()),
  configured_ask: z.exactOptional(z.boolean()),
  floored_configured_allow: z.exactOptional(z.boolean()),
  rememberable: z.exactOptional(z.array(rememberSchema)),
});

const answerFields = wireRecord(
  {
    reason: z.exactOptional(z.string()),
    decided_by: z.exactOptional(z.string()),
    ask_id: z.exactOptional(idSchema),
    resolution: z.enum(["Approve", "Deny"]),
    remember: z.exactOptional(rememberSchema),
    remember_until_ms: z.exactOptional(wholeNumberSchema),
    modified_input: z.exactOptional(jsonValueSchema),
  },
  { keepNull: ["modified_input"] },
);

/**
 * An answer: the bare words `"Approve"` and `"Deny"`, or the object form, which is what it gives. A `modified_input`
 * (`null` is one) goes with neither `remember` nor a denial; a denial is not remembered for a session.
 */
export const askAnswerSchema: z.ZodMiniType<AskAnswer> = z.pipe(
  z.transform((value: unknown, context): unknown => {
    if (value === "Approve" || value === "Deny") return { resolution: value };
    if (typeof value === "object" && value !== null) return value;
    context.issues.push({
      code: "custom",
      message: 'is neither "Approve", "Deny" nor an object',
      input: value,
    });
    return value;
  }),
  z.pipe(
    answerFields,
    z.transform((answer, context): AskAnswer => {
      const refuse = (field: keyof typeof answer, message: string) => {
        context.issues.push({ code: "custom", message, path: [field], input: answer[field] });
      };
      const isModified = answer.modified_input !== undefined;
      if (isModified && answer.resolution === "Deny") refuse("modified_input", "does not go with a denial");
      if (isModified && answer.remember !== undefined) refuse("remember", "does not go with modified_input");
      if (isModified && answer.remember_until_ms !== undefined) {
        refuse("remember_until_ms", "does not go with modified_input");
      }
      if (answer.resolution === "Deny" && answer.remember === "session") {
        refuse("remember", "a denial is not remembered for a session");
      }
      // The combinations that the union excludes were refused above.
      return answer as AskAnswer;
    }),
  ),
);

/** Reads an ask; throws code `bad_record` naming the field at fault. */
export function parsePendingAsk(value: unknown): PendingAsk {
  return parseWire(pendingAskSchema, value, "ask");
}

/** Reads an answer, bare or as an object; throws code `bad_record` naming the field at fault. */
export function parseAskAnswer(value: unknown): AskAnswer {
  return parseWire(askAnswerSchema, value, "answer");
}
