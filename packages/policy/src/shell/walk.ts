import type {
  Case,
  Command,
  CommandNode,
  CompoundList,
  Coproc,
  If,
  ParsedScript,
  PipelineNode,
  Statement,
} from "unbash";
import { isolated, looping } from "./folder-scope.js";
import { type Line, MAX_DEPTH, type Place } from "./line.js";
import { timed, walkCommand, walkRedirects, walkTimed } from "./walk-command.js";
import {
  readWords,
  walkArithmetic,
  walkArithmeticLoopHeader,
  walkHeader,
  walkLoopHeader,
  walkTest,
} from "./walk-header.js";

/** Goes through a script in the order of its text, and gathers its parts in `line`. */
export function walkScript(line: Line, script: ParsedScript, place: Place): void {
  if (script.errors !== undefined && script.errors.length > 0) line.refuse("it cannot be parsed");
  const { source } = script;
  walkStatements(line, script.commands, source === undefined ? place : { ...place, source });
}

/** After a statement that may have failed, it is not known whether its `cd` took place. */
function walkStatements(line: Line, statements: readonly Statement[], place: Place): void {
  for (const statement of statements) {
    const { folder } = line;
    walkStatement(line, statement, place);
    if (line.folder !== folder) line.folder = null;
  }
}

function walkStatement(line: Line, { command, background }: Statement, place: Place): void {
  if (background === true) {
    isolated(line, () => walkAndOr(line, command, { ...place, background: true }));
  } else walkAndOr(line, command, place);
}

function walkAndOr(line: Line, node: Statement["command"], place: Place): void {
  if (node.type !== "AndOr") {
    walkPipeline(line, node, place);
    return;
  }
  const { folder } = line;
  node.commands.forEach((command, at) => {
    const isAlternative = at > 0 && node.operators[at - 1] === "||";
    if (isAlternative && line.folder !== folder) line.folder = null;
    const before = line.folder;
    walkPipeline(line, command, place);
    if (isAlternative && line.folder !== before) line.folder = null;
  });
}

function walkPipeline(line: Line, node: PipelineNode, place: Place): void {
  if (node.type !== "Pipeline") {
    walkNode(line, node, place);
    return;
  }
  if (place.posix && node.operators.includes("|&")) line.refuse("|&, which not every shell knows");
  const { folder } = line;
  node.commands.forEach((command, at) => {
    const prefixed = at === 0 ? timed(node, command) : null;
    const walk = (): void => {
      if (prefixed === null) walkNode(line, command, place);
      else walkTimed(line, prefixed.words, prefixed.command, place);
    };
    if (node.commands.length > 1) isolated(line, walk);
    else walk();
  });
  const isNegated = node.prefixes.some((prefix) => prefix.type === "Negation");
  if (isNegated && line.folder !== folder) line.folder = null;
}

function walkNode(line: Line, node: CommandNode, place: Place): void {
  if (!line.count()) return;
  if (node.type === "Command") walkCommand(line, node, place, []);
  else if (place.depth >= MAX_DEPTH) line.refuse("it is nested too deep");
  else walkCompound(line, node, { ...place, depth: place.depth + 1 });
}

function walkCompound(line: Line, node: Exclude<CommandNode, Command>, place: Place): void {
  switch (node.type) {
    case "Redirected":
      walkRedirects(line, node.redirects, place);
      walkNode(line, node.command, place);
      return;
    case "Subshell":
      isolated(line, () => walkStatements(line, node.body.commands, { ...place, grouped: true }));
      return;
    case "BraceGroup":
      walkStatements(line, node.body.commands, { ...place, grouped: true });
      return;
    case "If":
      walkIf(line, node, place);
      return;
    case "Case":
      walkCase(line, node, place);
      return;
    case "While":
      walkLoop(line, [node.clause, node.body], place);
      return;
    case "For":
    case "Select":
      walkLoopHeader(line, node, place);
      walkLoop(line, [node.body], place);
      return;
    case "ArithmeticFor":
      walkArithmeticLoopHeader(line, node, place);
      walkLoop(line, [node.body], place);
      return;
    case "TestCommand":
      walkTest(line, node, place);
      return;
    case "ArithmeticCommand":
      walkArithmetic(line, node, place);
      return;
    case "Function":
      line.refuse("a function, which gives a name another meaning");
      isolated(line, () => walkBody(line, node.body, place));
      return;
    case "Coproc":
      walkCoprocess(line, node, place);
      return;
  }
}

/** What runs again and again, in the order of its text. */
function walkLoop(line: Line, lists: readonly CompoundList[], place: Place): void {
  looping(line, () => {
    for (const { commands } of lists) walkStatements(line, commands, place);
  });
}

function walkCoprocess(line: Line, node: Coproc, place: Place): void {
  if (place.posix) line.refuse("coproc, which not every shell knows");
  if (node.name !== undefined) line.refuse("coproc with a name, which is assigned to");
  isolated(line, () => walkBody(line, node.body, { ...place, background: true, grouped: true }));
}

/** The body of a function or coprocess, which is a list only where the parser met an error. */
function walkBody(line: Line, body: CommandNode | CompoundList, place: Place): void {
  if (body.type === "CompoundList") walkStatements(line, body.commands, place);
  else walkNode(line, body, place);
}

function walkIf(line: Line, node: If, place: Place): void {
  const before = line.folder;
  let moved = false;
  let clause = before;
  const branch = (commands: readonly Statement[]): void => {
    line.folder = clause;
    walkStatements(line, commands, place);
    if (line.folder !== before) moved = true;
  };
  branch(node.clause.commands);
  clause = line.folder;
  branch(node.then.commands);
  for (const { clause: other, then } of node.elif) {
    branch(other.commands);
    if (line.folder !== clause) clause = null;
    branch(then.commands);
  }
  if (node.else !== undefined) branch(node.else.commands);
  line.folder = moved ? null : before;
}

function walkCase(line: Line, node: Case, place: Place): void {
  walkHeader(line, readWords(line, [node.word, ...node.items.flatMap((item) => item.pattern)], place), place);
  looping(line, () => {
    for (const item of node.items) {
      if (place.posix && item.terminator !== undefined && item.terminator !== ";;") {
        line.refuse("a case arm that goes on, which not every shell knows");
      }
      walkStatements(line, item.body.commands, place);
    }
  });
}
