import { createHash } from "node:crypto";
import { type AskAnswer, type PendingAsk, PermissionGateError, parseAskAnswer } from "@x/permission-core";
import { readJson } from "../read-json.js";
import { type Signer, UNSIGNED } from "./signer.js";

type AskName = Pick<PendingAsk, "id" | "args_digest">;

/** What repeats of one answer have in common: its `answerId`, and all that it says and of which ask. */
export function repeatTag(ask: AskName, answerId: string | undefined, text: string): string {
  if (answerId === undefined) return UNSIGNED;
  return createHash("sha256")
    .update(JSON.stringify([answerId, ask.args_digest, text]))
    .digest("base64url");
}

/**
 * The answer to `ask` from the line that the script `answer` wrote: token, tag and signature, then the answer as JSON.
 * Throws code `bad_record` or `bad_json` for anything that is no answer to this very ask, of somebody who has the secret.
 */
export function readAnswerLine(ask: AskName, line: string, signer: Signer): AskAnswer {
  const [, signature, text] = /^\S+ \S+ (\S+)\n(.*)$/s.exec(line) ?? [];
  if (signature === undefined || text === undefined) {
    throw new PermissionGateError("bad_record", "answer: it is not in the form that an approver writes");
  }
  if (!signer.isAnswer(ask, text, signature)) {
    throw new PermissionGateError("bad_record", "answer: its signature is not of a secret of this channel");
  }
  const answer = parseAskAnswer(readJson(text, "answer"));
  delete answer.ask_id;
  return answer;
}
