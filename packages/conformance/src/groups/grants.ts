import type { Grant, GrantVerdict } from "@x/permission-core";
import coverages from "../../vectors/loopctl/covers.json" with { type: "json" };
import grantIds from "../../vectors/loopctl/grant-id.json" with { type: "json" };
import ledgers from "../../vectors/loopctl/grant-ledger.json" with { type: "json" };
import identities from "../../vectors/loopctl/project-identity.json" with { type: "json" };
import { answerMutants } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** The id of a grant, and the canonical text that it digests. */
export interface GrantIdVector extends Vector {
  tool: string;
  verdict: GrantVerdict;
  /** a `GrantScope` as JSON text */
  scope_json: string;
  canonical: string;
  grant_id: string;
}

export const grantId: Group<GrantIdVector> = {
  vectors: grantIds as readonly GrantIdVector[],
  mutants: answerMutants("canonical", "grant_id"),
};

/** Whether a grant speaks of a call. JSON texts, since parsing loses the difference of `1` and `1.0`. */
export interface CoversVector extends Vector {
  grant_tool: string;
  /** a `GrantScope` as JSON text */
  scope_json: string;
  call_tool: string;
  args_json: string;
  covers: boolean;
}

export const covers: Group<CoversVector> = { vectors: coverages, mutants: answerMutants("covers") };

/** The identity of a project's folder. */
export interface ProjectIdentityVector extends Vector {
  /** the situation in words */
  given: string;
  /** all of these have the one identity */
  paths: readonly string[];
  /** real path by path; what is not in it does not exist */
  real_paths: { readonly [path: string]: string };
  /** the text whose digest the identity is */
  identity_spelling: string;
  identity: string;
}

export const projectIdentity: Group<ProjectIdentityVector> = {
  vectors: identities as readonly ProjectIdentityVector[],
  mutants: answerMutants("identity"),
};

/** What a ledger file holds, says and becomes. */
export interface GrantLedgerVector extends Vector {
  steps: readonly string[];
  /** the text of the ledger before; absent: there is none */
  given?: string;
  /** the bytes of the ledger before, where they are no text */
  given_hex?: string;
  /** saved in this order */
  saves?: readonly Grant[];
  answer: GrantLedgerAnswer;
}

export interface GrantLedgerAnswer {
  /** the text of the ledger afterwards */
  file?: string;
  /** of `load()` */
  loaded?: readonly Grant[];
  /** of `revoke()` */
  revoked?: Grant | null;
  /** of each `clear()` */
  cleared?: readonly number[];
  /** the code of the error of `load()` */
  error?: string;
  /** whether the ledger still has the bytes it had before */
  file_unchanged?: boolean;
  file_exists?: boolean;
  /** the ledger's folder */
  directory_exists?: boolean;
  /** permission bits of the ledger, four octal digits */
  mode?: string;
}

export const grantLedger: Group<GrantLedgerVector> = {
  vectors: ledgers as readonly GrantLedgerVector[],
  mutants: answerMutants("answer"),
};
