import { createHash } from "node:crypto";
import type { AnswerStatus } from "@x/permission-core";
import { type RedisScript, redisScript, ScriptRunner } from "@x/redis-scripts";
import { Batch } from "./batch.js";
import type { ChannelSettings } from "./options.js";
import { failedReply, repliesOf, textsOf, unknownReply } from "./replies.js";
import answerText from "./scripts/answer.lua";
import attendText from "./scripts/attend.lua";
import claimsText from "./scripts/claims.lua";
import headsText from "./scripts/heads.lua";
import listText from "./scripts/list.lua";
import pageText from "./scripts/page.lua";
import readText from "./scripts/read.lua";

const ANSWER = redisScript("answer", `${headsText}${answerText}`);
const ATTEND = redisScript("attend", attendText);
const CLAIMS = redisScript("claims", pageText + claimsText);
const LIST = redisScript("list", pageText + listText);
const READ = redisScript("read", readText);

const LONGEST_COMPARED = 2_000;

/** How many asks come with one reply; fewer where they have some megabytes. */
const PAGE = 200;

/** An ask that waits, and its place in the order. */
export interface ListedAsk {
  readonly id: string;
  readonly place: string;
  /** signature and JSON; empty for one that is damaged */
  readonly stored: string;
}

export interface ListedClaim {
  readonly claimedAtMs: number;
  /** signature and JSON of the ask */
  readonly stored: string;
  readonly line: string;
}

export interface Answering {
  readonly id: string;
  readonly argsDigest: string;
  /** of this one call of `answer`, so that it counts once if the client sends it twice */
  readonly token: string;
  readonly tag: string;
  readonly signature: string;
  readonly text: string;
  /** signature and JSON of the ask as it was shown; null where that is not known */
  readonly shown: string | null;
}

/** `changed`: the ask is not the one that was shown. */
export type StoredAnswerStatus = AnswerStatus | "changed";

const STATUSES: readonly StoredAnswerStatus[] = [
  "delivered",
  "already_answered",
  "expired",
  "cancelled",
  "unknown",
  "mismatch",
  "changed",
];

/**
 * The scripts of the answering side. Answers that are given within one turn of the loop run as one. All reject with code
 * `storage` where Redis did not run them, and may be run again.
 */
export class AnsweringScripts {
  readonly #settings: ChannelSettings;
  readonly #runner: ScriptRunner;
  readonly #answers: Batch<readonly string[], string[]>;

  constructor(settings: ChannelSettings) {
    this.#settings = settings;
    this.#runner = new ScriptRunner(settings.redis, settings.times.timeoutMs);
    this.#answers = new Batch(async (items) => {
      const args = [settings.times.endingsMs, ...items.flat()];
      return repliesOf(await this.#run(ANSWER, args), items.length, ANSWER.name);
    });
  }

  async answer(answering: Answering): Promise<StoredAnswerStatus> {
    const { id, argsDigest, token, tag, signature, text, shown } = answering;
    const head = `${token} ${tag} ${signature}`;
    const [reply, why = ""] = await this.#answers.add([id, argsDigest, head, text, describeShown(shown)]);
    const status = STATUSES.find((known) => known === reply);
    if (status !== undefined) return status;
    throw reply === "failed" ? failedReply(why, ANSWER.name) : unknownReply(ANSWER.name);
  }

  /** Those that wait, oldest first, from behind `after` on; null for all. Rejects when a page cannot be read. */
  async list(after: string | null): Promise<ListedAsk[]> {
    const listed = new Map<string, ListedAsk>();
    for (const [id, place, stored] of await this.#readPages(LIST, after === null ? "-inf" : `(${after}`)) {
      // Put anew between two pages, it stands on both: the later place is its own.
      listed.delete(id);
      listed.set(id, { id, place, stored });
    }
    return [...listed.values()];
  }

  /** Those that are open, oldest first. */
  async claims(): Promise<ListedClaim[]> {
    const rows = await this.#readPages(CLAIMS, "-inf");
    return rows.map(([claimedAt, stored, line]) => ({ claimedAtMs: Number(claimedAt), stored, line }));
  }

  /** Signature and JSON; null where there is none, or it has ended. */
  async read(id: string): Promise<string | null> {
    const [stored = ""] = textsOf(await this.#run(READ, [id]), READ.name);
    return stored === "" ? null : stored;
  }

  /** `ms` 0: it leaves. */
  async attend(approver: string, ms: number): Promise<void> {
    await this.#run(ATTEND, [approver, ms]);
  }

  /** Three fields for each member, from the score `first` on. Rejects when a page cannot be read. */
  async #readPages(script: RedisScript, first: string): Promise<[string, string, string][]> {
    const rows: [string, string, string][] = [];
    let [from, behind] = [first, ""];
    for (;;) {
      const reply = textsOf(await this.#run(script, [from, behind, PAGE]), script.name);
      const [score = "", member = "", ...fields] = reply;
      for (let at = 0; at < fields.length; at += 3) {
        const [one = "", two = "", three = ""] = fields.slice(at, at + 3);
        rows.push([one, two, three]);
      }
      if (score === "") return rows;
      [from, behind] = [score, member];
    }
  }

  #run(script: RedisScript, args: readonly (string | number)[]): Promise<unknown> {
    return this.#runner.run(script, [this.#settings.names.slot], args);
  }
}

/** Short texts are compared themselves, which is quicker. None begins with `#`. */
function describeShown(text: string | null): string {
  if (text === null) return "";
  return text.length <= LONGEST_COMPARED ? text : `#${createHash("sha1").update(text).digest("hex")}`;
}
