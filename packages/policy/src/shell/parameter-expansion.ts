import type { ParameterExpansionPart, Word } from "unbash";
import { isInteger, sliceHazard } from "./arithmetic-hazard.js";
import { isDangerousVariable } from "./tables/dangerous-variables.js";

/** What means one thing to the parser, and another to bash, in `${…}` that stands in double quotes or a heredoc. */
const READ_OTHERWISE = /['"]|[<>]\(/;
const DOLLAR_QUOTE = /\$['"]/;

/** Why a `${…}` cannot be trusted, whatever its operands hold; `quoted` in double quotes or a heredoc. */
export function parameterHazard(part: ParameterExpansionPart, quoted: boolean): string | null {
  const { text, prefix, index } = part;
  if (prefix === "!") return "an indirect expansion";
  if (index !== undefined && !isInteger(index.text)) return "a subscript that is no number";
  if (quoted && READ_OTHERWISE.test(text)) {
    return "a quote or a process substitution inside an expansion in double quotes";
  }
  if (DOLLAR_QUOTE.test(text)) return "$'…' inside an expansion, which loses its quoting in some places";
  return operationHazard(part);
}

function operationHazard({ operation, parameter }: ParameterExpansionPart): string | null {
  switch (operation?.type) {
    case "Default": {
      const assigns = operation.operator.endsWith("=");
      return assigns && isDangerousVariable(parameter) ? `an assignment to ${parameter}` : null;
    }
    case "Slice":
      return sliceHazard(operation.offset, operation.length);
    case "Transform":
      return "a transformation of a parameter";
    case "Names":
    case "Unknown":
      return "an expansion that cannot be read";
    case "Remove":
    case "CaseModification":
    case "Replace":
    case undefined:
      return null;
  }
}

/** The words inside a `${…}`, which expand in their turn. */
export function parameterOperands({ operation }: ParameterExpansionPart): readonly Word[] {
  switch (operation?.type) {
    case "Default":
    case "Remove":
    case "Transform":
      return [operation.operand];
    case "CaseModification":
      return operation.operand === undefined ? [] : [operation.operand];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "Slice":
      return operation.length === undefined ? [operation.offset] : [operation.offset, operation.length];
    case "Names":
    case "Unknown":
    case undefined:
      return [];
  }
}
