import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Rule, RuleEffect, WorkspaceReader } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeWorkspace } from "../../src/config/node-workspace.js";
import { CompiledRule } from "../../src/evaluate/compiled-rule.js";
import { LiteralPlaces } from "../../src/evaluate/literal-place.js";
import { Matches } from "../../src/evaluate/matches.js";
import { PathIndex } from "../../src/evaluate/path-index.js";
import { refreshAnchors } from "../../src/paths/anchors.js";
import { PrefixFolders } from "../../src/paths/prefix-folders.js";
import { resolvePath } from "../../src/paths/resolve-path.js";
import { compilePathPattern } from "../../src/patterns/compile-path-pattern.js";
import { temporaryFolder } from "../config/support/temporary-folder.js";

const FILES = ["one/a/b/k", "one/c/k", "two/a/k", "outside/b/k", "home/c/k"];

/** Links as they stand in the disk's folders, and the folder that the workspace's root leads to. */
interface Layout {
  readonly root: string;
  readonly links: readonly { readonly at: string; readonly to: string }[];
}

const layout: fc.Arbitrary<Layout> = fc.record({
  root: fc.constantFrom("one", "two"),
  links: fc.array(
    fc.record({
      at: fc.constantFrom("one/l", "one/a/l", "two/l", "two/c", "outside/l", "home/l"),
      to: fc.constantFrom("a", "../outside", "../one/c", "../two", "..", "l", "nowhere", "../home"),
    }),
    { maxLength: 4 },
  ),
});

const name = fc.constantFrom("a", "b", "c", "l", "k", "A", "L", "u\u0308", "\u00fc", "..", "new");
const start = fc.constantFrom("", "", "", "./", "~/", "@/", "@/root/", "@/one/", "@/outside/", "/", "a\\");
const path = fc
  .tuple(start, fc.array(name, { maxLength: 4 }))
  .map(([first, names]) => first + names.join("/"));
const piece = fc.oneof(name, name, name, fc.constantFrom("*", "**", "a*", "?", "*k", "~"));
const pattern = fc
  .tuple(start, fc.array(piece, { maxLength: 4 }), fc.constantFrom("", "", "/", "/**", ":*", ":"))
  .map(([first, pieces, end]) => first + pieces.join("/") + end);
const rules = fc.array(
  fc.record({
    scope: fc.constant("user" as const),
    tool: fc.constant("Read"),
    pattern,
    effect: fc.constantFrom<RuleEffect>("deny", "deny", "ask", "allow"),
    exact: fc.boolean(),
  }),
  { maxLength: 10 },
);

/** What the index finds, and what every rule finds that is made anew and asked by itself. */
function compare(index: PathIndex, given: readonly Rule[], written: string, workspace?: WorkspaceReader) {
  const options = workspace === undefined ? {} : { workspace };
  const forms = resolvePath(written, options);
  const judge = {
    audience: "all" as const,
    folders: new PrefixFolders(),
    places: new LiteralPlaces(workspace),
  };
  const indexed = new Matches(true);
  index.addMatches(forms, judge, indexed);
  const bound = new Matches(true);
  index.addBinding(forms, judge, bound, "demands");
  const plain = given.filter(({ pattern: each, effect, exact = false }) =>
    compilePathPattern(each, { effect, exact, ...options }).matchesPath(forms),
  );
  const found = (matches: Matches) => matches.all().map(({ rule }) => rule);
  expect(found(indexed)).toEqual(plain);
  expect(found(bound)).toEqual(plain.filter(({ effect }) => effect !== "allow"));
}

const indexOf = (given: readonly Rule[], workspace?: WorkspaceReader) =>
  new PathIndex(
    given.map((rule, at) => new CompiledRule(rule, "rules", at)),
    workspace,
  );

describe("rules found by how paths begin", () => {
  it("are those that match by themselves, on a disk whose links change between calls", () => {
    const disk = temporaryFolder(Object.fromEntries(FILES.map((file) => [file, ""])));
    const lay = ({ root, links }: Layout) => {
      for (const file of ["root", "one/l", "one/a/l", "two/l", "two/c", "outside/l", "home/l"])
        rmSync(join(disk, file), { force: true });
      symlinkSync(join(disk, root), join(disk, "root"));
      for (const { at, to } of new Map(links.map((link) => [link.at, link])).values())
        symlinkSync(to, join(disk, at));
    };
    const placed = (text: string) => text.replace("@", disk);
    fc.assert(
      fc.property(
        fc.array(layout, { minLength: 1, maxLength: 2 }),
        rules,
        fc.array(path, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (layouts, drawn, paths, caseInsensitive) => {
          const given = drawn.map((rule) => ({ ...rule, pattern: placed(rule.pattern) }));
          let workspace: WorkspaceReader | null = null;
          let index: PathIndex | null = null;
          for (const each of layouts) {
            lay(each);
            workspace ??= nodeWorkspace(join(disk, "root"), { home: join(disk, "home"), caseInsensitive });
            refreshAnchors(workspace);
            index ??= indexOf(given, workspace);
            for (const written of paths) compare(index, given, placed(written), workspace);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  }, 60_000);

  it("are those that match by themselves without a workspace, as on whatever system", () => {
    const withWindows = fc.constantFrom(
      "/",
      "\\",
      "C:",
      "c:\\",
      "\\\\s\\t\\",
      "a",
      "A",
      "b.",
      "..",
      "*",
      "**",
      ":*",
    );
    const text = fc.array(withWindows, { maxLength: 6 }).map((parts) => parts.join(""));
    const odd = rules.chain((some) =>
      fc
        .array(text, { minLength: some.length, maxLength: some.length })
        .map((texts) =>
          some.map((rule, at) => (at % 2 === 0 ? { ...rule, pattern: texts[at] ?? "" } : rule)),
        ),
    );
    fc.assert(
      fc.property(odd, fc.oneof(text, path), (given, written) => {
        compare(indexOf(given), given, written);
      }),
      { numRuns: 3_000 },
    );
  });
});
