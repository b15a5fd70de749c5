import { type AskAnswer, type AskResolution, canonicalJson, parseAskAnswer } from "@x/permission-core";

/**
 * The answer as the waiting side will get it: checked, and a copy that the answering side can no longer change. Throws
 * code `bad_record` for anything that is no answer. `ask_id` is dropped: in process, the ask answered is the one put.
 */
export function readAnswer(answer: unknown): AskResolution | AskAnswer {
  if (answer === "Approve" || answer === "Deny") return answer;
  const copy = parseAskAnswer(answer);
  delete copy.ask_id;
  return copy;
}

/** A text that is equal for equal answers; `"Approve"` and `{ resolution: "Approve" }` are equal. */
export function answerText(answer: AskResolution | AskAnswer): string {
  return canonicalJson(typeof answer === "string" ? { resolution: answer } : answer);
}
