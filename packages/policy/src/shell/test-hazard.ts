import type { TestExpression } from "unbash";
import { isInteger } from "./arithmetic-hazard.js";
import type { ReadWord } from "./read-word.js";
import { readWord, type WordScope } from "./word-reading.js";

const ARITHMETIC = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** Why a `[[ ]]` cannot be trusted; its words are added to `words`. */
export function testHazard(expression: TestExpression, scope: WordScope, words: ReadWord[]): string | null {
  switch (expression.type) {
    case "TestUnary": {
      const operand = readWord(expression.operand, scope);
      words.push(operand);
      const evaluates = expression.operator === "-v" || expression.operator === "-R";
      return evaluates ? "a test that evaluates a name" : operand.hazard;
    }
    case "TestBinary": {
      const left = readWord(expression.left, scope);
      const right = readWord(expression.right, scope);
      words.push(left, right);
      const isNumeric = ARITHMETIC.test(expression.operator);
      const integers = isInteger(expression.left.text) && isInteger(expression.right.text);
      if (isNumeric && !integers) return "arithmetic over what is no number";
      return left.hazard ?? right.hazard;
    }
    case "TestLogical": {
      let hazard: string | null = null;
      for (const operand of expression.operands) {
        const found = testHazard(operand, scope, words);
        hazard ??= found;
      }
      return hazard;
    }
    case "TestNot":
      return testHazard(expression.operand, scope, words);
    case "TestGroup":
      return testHazard(expression.expression, scope, words);
  }
}
