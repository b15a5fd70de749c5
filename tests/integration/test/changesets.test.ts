import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PUBLISHED, ROOT } from "./support/workspace.js";

const FOLDER = join(ROOT, ".changeset");
const changesets = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
const names = PUBLISHED.map(({ manifest }) => manifest.name).join("|");
const FORM = new RegExp(`^---\\n(?:"(?:${names})": (?:major|minor|patch)\\n)+---\\n\\n\\S`);

it.each(changesets)("%s names packages that are published, and says what a user sees", (name) => {
  expect(readFileSync(join(FOLDER, name), "utf8")).toMatch(FORM);
});
