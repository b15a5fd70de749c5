import type { RuleScope } from "@x/permission-core";
import type { TextPlaces } from "../syntax/text-places.js";

/** The file whose rules are being read. */
export interface ConfigSource {
  /** as problems and rules name it */
  readonly file: string;
  readonly scope: RuleScope;
  readonly places: TextPlaces;
  /** Whether problems may repeat its text: it is known to hold rules, and is no other file that a link leads to. */
  readonly isQuotable: boolean;
  /** tools that files of its form may name, whether the host has them or not; default none */
  readonly knownTools?: ReadonlySet<string>;
}
