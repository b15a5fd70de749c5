import { dereference, type Schema, Validator } from "@cfworker/json-schema";
import { cloneJson, type JsonValue, PermissionGateError } from "@x/permission-core";
import type { InputProblem } from "../input-problems.js";
import { draftOf } from "./schema-dialect.js";
import { isSchema, schemaFault } from "./schema-fault.js";
import { validatorProblems } from "./validator-problems.js";

/** Gives the problems of an input, none where it fits. Throws where the schema cannot be followed (endless references). */
export type JsonSchemaJudge = (input: JsonValue) => InputProblem[];

/**
 * Compiles a JSON Schema, without `eval`. Nothing is ever fetched: every `$ref` must lead to a place within the schema.
 * The schema is copied first; changing it later changes no verdict.
 *
 * Throws `invalid_option`, beginning with `subject`, for a schema that is none, an unknown `$schema`, a keyword of the
 * wrong form, a reference that leads nowhere, and what the validator cannot honour (`$dynamicRef`).
 */
export function compileSchema(inputSchema: JsonValue, subject: string): JsonSchemaJudge {
  const refuse = (why: string, cause?: unknown): never => {
    throw new PermissionGateError(
      "invalid_option",
      `${subject} is no JSON Schema that can be used: ${why}.`,
      { cause },
    );
  };
  let schema: JsonValue;
  let validator: Validator;
  let parts: ReadonlyMap<string, Schema | boolean>;
  const draft = draftOf(inputSchema) ?? refuse("'$schema' names no draft from 4 to 2020-12");
  try {
    schema = cloneJson(inputSchema);
    if (!isSchema(schema)) return refuse("it is neither an object nor true or false");
    const root = schema as unknown as Schema | boolean;
    parts = new Map(Object.entries(dereference(root)));
    validator = new Validator(root, draft, false);
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
  for (const [place, part] of parts) {
    if (typeof part === "boolean") continue;
    const fault = schemaFault(part, draft);
    if (fault !== null) return refuse(`at ${fragment(place)}: ${fault}`);
    if (part.$ref !== undefined && !parts.has(part.__absolute_ref__ ?? part.$ref)) {
      return refuse(`at ${fragment(place)}: '$ref' leads outside (${JSON.stringify(part.$ref)})`);
    }
  }
  return (input) => validatorProblems(validator.validate(input).errors);
}

/** The place of a part within its schema. */
function fragment(uri: string): string {
  const at = uri.indexOf("#");
  return at === -1 ? "#" : uri.slice(at);
}
