import type { SchemaDraft } from "@cfworker/json-schema";
import type { JsonValue } from "@x/permission-core";

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019-09|2020-12))\/schema#?$/;

/**
 * The draft that a schema names in `$schema`; without one 2020-12, as the Model Context Protocol has it. Draft 6 is read
 * as 7, which only adds to it. Null where the schema names something else.
 */
export function draftOf(schema: JsonValue): SchemaDraft | null {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "2020-12";
  if (!Object.hasOwn(schema, "$schema")) return "2020-12";
  const match = DIALECT.exec(String(schema["$schema"]));
  if (match === null) return null;
  if (match[1] === "4") return "4";
  return match[2] === "2019-09" || match[2] === "2020-12" ? match[2] : "7";
}
