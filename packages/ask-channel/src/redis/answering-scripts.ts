import type { AnswerStatus } from "@x/permission-core";
import { type RedisScript, redisScript, ScriptRunner } from "@x/redis-scripts";
import type { ChannelSettings } from "./options.js";
import { textsOf, unknownReply } from "./replies.js";
import answerText from "./scripts/answer.lua";
import attendText from "./scripts/attend.lua";
import claimsText from "./scripts/claims.lua";
import listText from "./scripts/list.lua";
import readText from "./scripts/read.lua";
import type { StoredAsk } from "./stored-ask.js";

const ANSWER = redisScript("answer", answerText);
const ATTEND = redisScript("attend", attendText);
const CLAIMS = redisScript("claims", claimsText);
const LIST = redisScript("list", listText);
const READ = redisScript("read", readText);

/** How many asks come with one reply. */
const PAGE = 200;

/** An ask that waits, and its place in the order. */
export interface ListedAsk extends StoredAsk {
  readonly id: string;
  readonly place: string;
}

export interface ListedClaim extends StoredAsk {
  readonly claimedAtMs: number;
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
  /** SHA-1 of the ask's text as it was shown; null where that is not known */
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

/** The scripts of the answering side. All reject with code `storage` where Redis did not run them, and may be run again. */
export class AnsweringScripts {
  readonly #settings: ChannelSettings;
  readonly #runner: ScriptRunner;

  constructor(settings: ChannelSettings) {
    this.#settings = settings;
    this.#runner = new ScriptRunner(settings.redis, settings.times.timeoutMs);
  }

  async answer(answering: Answering): Promise<StoredAnswerStatus> {
    const { id, argsDigest, token, tag, signature, text, shown } = answering;
    const { endingsMs } = this.#settings.times;
    const args = [id, `=${argsDigest}`, token, tag, signature, text, shown ?? "", endingsMs];
    const reply = await this.#run(ANSWER, args);
    const status = STATUSES.find((known) => known === reply);
    if (status === undefined) throw unknownReply(ANSWER.name);
    return status;
  }

  /** Those that wait, oldest first, from behind `after` on; null for all. Rejects when a page cannot be read. */
  async list(after: string | null): Promise<ListedAsk[]> {
    const asks: ListedAsk[] = [];
    let from = after === null ? "-inf" : `(${after}`;
    for (;;) {
      const [last = "", ...fields] = textsOf(await this.#run(LIST, [from, PAGE]), LIST.name);
      for (let at = 0; at < fields.length; at += 4) {
        const [id = "", place = "", signature = "", text = ""] = fields.slice(at, at + 4);
        asks.push({ id, place, signature, text });
      }
      if (last === "") return asks;
      from = `(${last}`;
    }
  }

  /** Those that are open, oldest first. */
  async claims(): Promise<ListedClaim[]> {
    const claims: ListedClaim[] = [];
    for (let from = 0; ; from += PAGE) {
      const [more, ...fields] = textsOf(await this.#run(CLAIMS, [from, PAGE]), CLAIMS.name);
      for (let at = 0; at < fields.length; at += 4) {
        const [claimedAt = "", signature = "", text = "", line = ""] = fields.slice(at, at + 4);
        claims.push({ claimedAtMs: Number(claimedAt), signature, text, line });
      }
      if (more !== "1") return claims;
    }
  }

  /** Null where there is none, or it has ended. */
  async read(id: string): Promise<StoredAsk | null> {
    const [signature = "", text = ""] = textsOf(await this.#run(READ, [id]), READ.name);
    return text === "" ? null : { signature, text };
  }

  /** `ms` 0: it leaves. */
  async attend(approver: string, ms: number): Promise<void> {
    await this.#run(ATTEND, [approver, ms]);
  }

  #run(script: RedisScript, args: readonly (string | number)[]): Promise<unknown> {
    return this.#runner.run(script, [this.#settings.names.slot], args);
  }
}
