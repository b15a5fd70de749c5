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

/** What a ledger file holds, says and becomes. In prose as the reference's tests have it, and what that means. */
export interface GrantLedgerVector extends Vector {
  /** in prose */
  saves?: readonly string[];
  /** in prose */
  steps?: readonly string[];
  /** the text of the ledger before, in words where `given_hex` has its bytes */
  given?: string;
  /** in prose, or facts */
  expect?: string | readonly string[] | GrantLedgerFacts;
  /** the text of the ledger afterwards */
  file?: string;
  /** the text of the ledger before, where `steps` describe it; with none of the three there is no ledger */
  given_text?: string;
  /** the bytes of the ledger before, where they are no text */
  given_hex?: string;
  /** what `save` saves, in this order */
  grants?: readonly Grant[];
  /** `save`, `load`, `clear`, `revoke <id>`: what to do, in this order */
  operations: readonly string[];
  /** what the prose implies */
  answer?: GrantLedgerAnswer;
}

/** Facts as the reference's tests state them. */
export interface GrantLedgerFacts {
  /** of grants loaded */
  count?: number;
  /** of the one grant loaded */
  pinned_descriptor?: string | null;
  created_at_ms?: number;
  note?: string | null;
  /** the text of the ledger afterwards */
  file?: string;
  /** permission bits of the ledger, four octal digits */
  mode?: string;
  /** the reference's code of the error of `load()` */
  error?: string;
  /** its message, in which `<path>`, `<parser message>` and `<io message>` stand for texts */
  message?: string;
}

export interface GrantLedgerAnswer {
  /** of `load()` */
  loaded?: readonly Grant[];
  /** of `revoke()` */
  revoked?: Grant | null;
  /** of each `clear()` */
  cleared?: readonly number[];
  /** whether the ledger still has the bytes it had before */
  file_unchanged?: boolean;
  file_exists?: boolean;
  /** the ledger's folder */
  directory_exists?: boolean;
}

export const grantLedger: Group<GrantLedgerVector> = {
  vectors: ledgers as readonly GrantLedgerVector[],
  mutants: (vector) => [
    ...answerMutants<GrantLedgerVector>("file", "answer")(vector),
    ...(isFacts(vector.expect) ? answerMutants<GrantLedgerVector>("expect")(vector) : []),
  ],
};

function isFacts(expect: GrantLedgerVector["expect"]): expect is GrantLedgerFacts {
  return typeof expect === "object" && !Array.isArray(expect);
}
