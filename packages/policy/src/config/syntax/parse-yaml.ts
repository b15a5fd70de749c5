import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from "yaml";
import type { ConfigEntry, ConfigNode } from "./config-node.js";
import { ConfigSyntaxError, MAX_DEPTH, tooDeep } from "./config-syntax-error.js";
import { endlessFault } from "./yaml-faults.js";

/** With aliases written out, a file may hold so many values. 1,024 rules with reason and id have about 8,000. */
const MAX_NODES = 20_000;

const MOST_DIRECTIVES = 8;

/** Open tokens of the parser: at most two for each list or object, and a few for the document around them. */
const MAX_OPEN = 2 * MAX_DEPTH + 8;

/** A file may hold so many tokens, or it takes long to say what is wrong with it. As many values as may be have fewer. */
const MAX_LEXEMES = 100_000;

/** Repeated keys are looked for elsewhere: the parser's own search takes quadratic time. */
const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  uniqueKeys: false,
  prettyErrors: false,
  merge: false,
  schema: "core",
  resolveKnownTags: false,
};

const PLAIN_TAGS = ["str", "seq", "map", "null"].map((name) => `tag:yaml.org,2002:${name}`);

/**
 * One YAML document. Aliases are followed, up to a number of values; merge keys are keys like others; tags other than those
 * of text, lists and objects are refused. Throws {@link ConfigSyntaxError}.
 */
export function parseYaml(text: string): ConfigNode {
  const document = parse(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    throw noYaml(problem.message, problem.pos[0]);
  }
  if (document.contents === null) return { type: "nothing", offset: 0, end: 0 };
  return new YamlReader().node(document.contents, 0);
}

function parse(text: string): Document.Parsed {
  const composer = new Composer<ParsedNode>(OPTIONS);
  const documents = composer.compose(tokens(text), true, text.length);
  const [first, second] = [documents.next(), documents.next()];
  if (first.done === true) throw new ConfigSyntaxError("is no YAML that can be read", 0);
  if (second.done !== true) {
    throw new ConfigSyntaxError("holds several documents: merge them into one", first.value.range[1]);
  }
  return first.value;
}

/**
 * The text's tokens. Stops where they are nested too deep: the composer would call itself until the stack is full, where
 * the engine may end the whole process instead of throwing.
 */
function* tokens(text: string): Generator<CST.Token, void> {
  const parser = new Parser();
  let lexemes = 0;
  let directives = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES)
      throw new ConfigSyntaxError(`holds more than ${MAX_LEXEMES} signs and words of YAML`, parser.offset);
    for (const token of checked(parser.next(lexeme))) {
      if (token.type === "directive") directives += 1;
      if (directives > MOST_DIRECTIVES) throw noYaml("Too many directives", token.offset);
      yield token;
    }
    if (parser.stack.length > MAX_OPEN) throw tooDeep(parser.offset);
  }
  yield* checked(parser.end());
}

function* checked(found: Iterable<CST.Token>): Generator<CST.Token, void> {
  for (const token of found) {
    if (token.type === "error") throw noYaml(token.message, token.offset);
    const fault = endlessFault(token);
    if (fault !== null) throw noYaml(`Unexpected ${fault.type}`, fault.offset);
    yield token;
  }
}

/** Without what follows a colon, another sign or the word version, which repeats the text: the path may be a link to a file that is nobody's settings. */
function noYaml(message: string, offset: number): ConfigSyntaxError {
  return new ConfigSyntaxError(`is no YAML: ${message.split(/ version |[^\w /,()-]/, 1)[0]?.trim()}`, offset);
}

class YamlReader {
  readonly #anchors = new Map<string, ParsedNode>();
  #nodes = 0;

  node(node: ParsedNode, depth: number): ConfigNode {
    const [offset, end] = node.range;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) {
      throw new ConfigSyntaxError(`holds more than ${MAX_NODES} values, aliases written out`, offset);
    }
    if (isAlias(node)) return this.#alias(node.source, offset, depth);
    if (node.tag !== undefined && !PLAIN_TAGS.includes(node.tag)) {
      throw new ConfigSyntaxError("has a tag, and none is read that names another type: remove it", offset);
    }
    this.#note(node, offset);
    const place = { offset, end };
    if (isScalar(node)) {
      if (typeof node.value === "string") return { type: "text", value: node.value, ...place };
      return { type: node.value === null ? "nothing" : "other", ...place };
    }
    if (depth === MAX_DEPTH) throw tooDeep(offset);
    if (isSeq(node)) {
      const items = (node.items as ParsedNode[]).map((item) => this.node(item, depth + 1));
      return { type: "list", items, ...place };
    }
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      return { type: "map", entries: node.items.map((pair) => this.#entry(pair, depth + 1)), ...place };
    }
    throw new ConfigSyntaxError("holds what is neither text, list nor object", offset);
  }

  #entry({ key, value }: { key: ParsedNode; value: ParsedNode | null }, depth: number): ConfigEntry {
    const read = this.node(key, depth);
    if (read.type !== "text") throw new ConfigSyntaxError("has a key that is no text: quote it", read.offset);
    const empty: ConfigNode = { type: "nothing", offset: read.offset, end: read.end };
    const content = value === null ? empty : this.node(value, depth);
    return { key: read.value, value: content, offset: read.offset, end: content.end };
  }

  #alias(name: string, offset: number, depth: number): ConfigNode {
    const node = this.#anchors.get(name);
    if (node === undefined) throw new ConfigSyntaxError("has an alias without its anchor before it", offset);
    // What holds itself gets deeper with every turn.
    if (depth === MAX_DEPTH) throw tooDeep(offset);
    return this.node(node, depth + 1);
  }

  #note(node: Exclude<ParsedNode, { type: "ALIAS" }>, offset: number): void {
    const name = "anchor" in node ? node.anchor : undefined;
    if (name === undefined) return;
    const known = this.#anchors.get(name);
    if (known !== undefined && known !== node) {
      throw new ConfigSyntaxError("has an anchor twice: give one another name", offset);
    }
    this.#anchors.set(name, node);
  }
}
