import {
  type ArithmeticExpression,
  forEachChild,
  type ParsedScript,
  type SyntaxNode,
  type Word,
} from "unbash";

const INTEGER = /^-?(?:0[xX][0-9a-fA-F]+|[0-9]+)$/;

export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/**
 * Arithmetic evaluates the text of variables, and subscripts in that text run commands: only integers are known to be safe.
 * Substitutions found inside are added to `scripts`.
 */
export function arithmeticHazard(
  expression: ArithmeticExpression | undefined,
  scripts: ParsedScript[],
): string | null {
  if (expression === undefined) return "arithmetic that cannot be read";
  if (hasIntegersOnly(expression)) return null;
  collectScripts(expression, scripts);
  return "arithmetic over what is no number";
}

function hasIntegersOnly(expression: ArithmeticExpression): boolean {
  switch (expression.type) {
    case "ArithmeticWord":
      return expression.parts === undefined && INTEGER.test(expression.value);
    case "ArithmeticBinary":
      return hasIntegersOnly(expression.left) && hasIntegersOnly(expression.right);
    case "ArithmeticUnary":
      return hasIntegersOnly(expression.operand);
    case "ArithmeticGroup":
      return hasIntegersOnly(expression.expression);
    case "ArithmeticTernary":
      return (
        hasIntegersOnly(expression.test) &&
        hasIntegersOnly(expression.consequent) &&
        hasIntegersOnly(expression.alternate)
      );
    case "ArithmeticCommandExpansion":
      return false;
  }
}

/** The bounds of a slice are arithmetic too. */
export function sliceHazard(offset: Word, length: Word | undefined): string | null {
  const integers = isInteger(offset.text.trim()) && (length === undefined || isInteger(length.text.trim()));
  return integers ? null : "a slice whose bounds are no numbers";
}

/** Every script that stands below a node, not below another script. */
export function collectScripts(node: SyntaxNode, scripts: ParsedScript[]): void {
  forEachChild(node, (child) => {
    if (child.type === "Script") scripts.push(child);
    else collectScripts(child, scripts);
  });
}
