import { clientKeyPrefix, type RedisClient } from "@x/redis-scripts";
import { keyPart } from "../key-part.js";

/** Where the ledger of one project lies. All keys share the text in braces, so that a Cluster keeps them together. */
export class LedgerKeys {
  readonly ledger: string;
  /** told when the ledger was changed; with the client's own prefix, which it puts before no channel */
  readonly channel: string;

  constructor(prefix: string, projectId: string, redis: RedisClient) {
    const project = `${prefix}:{${keyPart(projectId)}}`;
    this.ledger = `${project}:grants`;
    this.channel = `${clientKeyPrefix(redis)}${project}:grants-changed`;
  }

  /** What one call of a script did, until it cannot be sent again. */
  done(token: string): string {
    return `${this.ledger}:done:${token}`;
  }

  /** Where a damaged ledger is kept. */
  aside(nowMs: number, token: string): string {
    return `${this.ledger}:damaged-${nowMs}-${token}`;
  }
}
