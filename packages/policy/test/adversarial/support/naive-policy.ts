import { forEachChild, parse, type SyntaxNode, type Word } from "unbash";

const ALLOWED: ReadonlySet<string> = new Set(["echo", "ls", "cat", "grep", "git", "true", "printf"]);
const STATIC_PARTS: ReadonlySet<string> = new Set(["Literal", "SingleQuoted", "AnsiCQuoted"]);

/**
 * What a policy would allow that takes the parser's word: no error at any depth, and nothing but programs on the list by
 * name. The measure of how much the rest is needed.
 */
export function naivelyAllows(text: string): boolean {
  const waiting: SyntaxNode[] = [parse(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("errors" in node && node.errors !== undefined && node.errors.length > 0) return false;
    if (node.type === "Command" && node.name !== undefined && !isOnTheList(node.name)) return false;
    forEachChild(node, (child) => {
      waiting.push(child);
    });
  }
  return true;
}

function isOnTheList(name: Word): boolean {
  return (name.parts ?? []).every(({ type }) => STATIC_PARTS.has(type)) && ALLOWED.has(name.value);
}
