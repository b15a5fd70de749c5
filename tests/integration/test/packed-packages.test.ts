import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledInCommonJs } from "./support/bundled.js";
import { entriesOf, installAlone, packAll, run } from "./support/packed.js";
import { type Manifest, PUBLISHED, ROOT } from "./support/workspace.js";

const NOTICES = "THIRD_PARTY_NOTICES.md";

let packed: Awaited<ReturnType<typeof packAll>>;

beforeAll(async () => {
  packed = await packAll();
}, 120_000);

afterAll(() => rm(packed.folder, { recursive: true, force: true }));

/** Runs a program in a project and gives what it printed. */
async function runIn(project: string, file: string, code: string): Promise<string> {
  await writeFile(join(project, file), code);
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  return stdout.trim();
}

/** What the compiler finds wrong with a project, as it prints it. */
async function problemsIn(project: string): Promise<string> {
  try {
    await run(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", project]);
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Licences differ in how their lines are broken. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

async function manifestOf(project: string, name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(project, "node_modules", name, "package.json"), "utf8")) as Manifest;
}

describe.each(PUBLISHED)("$manifest.name, packed and installed alone", (source) => {
  const { manifest } = source;
  let project: string;

  beforeAll(async () => {
    project = await installAlone(manifest.name, packed);
  });

  it("names no version of the workspace", async () => {
    const text = JSON.stringify(await manifestOf(project, manifest.name));
    expect(text).not.toMatch(/workspace:|catalog:/);
  });

  it("holds all that its manifest lists, a README, and the licence", async () => {
    const folder = join(project, "node_modules", manifest.name);
    const held = await readdir(folder);
    const listed = [...(manifest.files ?? []), "README.md"];
    expect(listed.filter((name) => !held.includes(name))).toEqual([]);
    const licence = await readFile(join(ROOT, "LICENSE"), "utf8");
    expect(await readFile(join(folder, "LICENSE"), "utf8")).toBe(licence);
  });

  it("gives the licence of every package whose code its CommonJS files hold, and of no other", async () => {
    const folder = join(project, "node_modules", manifest.name);
    const bundled = await bundledInCommonJs(join(folder, "dist"), source);
    const isListed = manifest.files?.includes(NOTICES) === true;
    const notices = isListed ? await readFile(join(folder, NOTICES), "utf8") : "";
    const named = Array.from(notices.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(named.sort()).toEqual(bundled.map(({ name, version }) => `${name} ${version}`).sort());
    const missing = bundled.filter(({ license }) => !oneLine(notices).includes(oneLine(license)));
    expect(missing).toEqual([]);
  });

  it.each(entriesOf(manifest))("loads %s as ESM and as CommonJS, with the same exports", async (entry) => {
    const esm = await runIn(
      project,
      "load.mjs",
      `import * as loaded from "${entry}"; console.log(Object.keys(loaded).sort().join());`,
    );
    const cjs = await runIn(
      project,
      "load.cjs",
      `console.log(Object.keys(require("${entry}")).filter((key) => key !== "__esModule").sort().join());`,
    );
    expect(esm).not.toBe("");
    expect(cjs).toBe(esm);
  });

  it("needs no ESM-only module in its CommonJS files", async () => {
    const files = await run("sh", ["-c", `cat node_modules/${manifest.name}/dist/*.cjs`], {
      cwd: project,
      maxBuffer: 2 ** 25,
    });
    expect(files.stdout).not.toMatch(/require\(["'](@noble|@clack|unbash)/);
  });
});

/** What runs on any platform, so that its types must not need those of Node. */
const ANYWHERE = [
  ["@x/permission-core", ["@x/permission-core", "@x/permission-core/stores", "@x/permission-core/testing"]],
  ["@x/middleware", ["@x/middleware", "@x/middleware/testing"]],
] as const;

describe.each(ANYWHERE)("the types of %s", (name, entries) => {
  const code = entries.map((entry, at) => `export * as entry${at} from "${entry}";\n`).join("");

  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "need none of Node's, and no library beside the default ones: module %s, resolution %s",
    async (...modes) => {
      const [module, moduleResolution] = modes;
      const project = await installAlone(name, packed);
      const compilerOptions = {
        target: "es2022",
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
      };
      await writeFile(join(project, "esm.mts"), code);
      await writeFile(join(project, "cjs.cts"), code);
      const files = ["esm.mts", "cjs.cts"];
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      expect(await problemsIn(project)).toBe("");
    },
  );
});

describe("two copies in one process", () => {
  it("pass objects, errors and layers across", async () => {
    const project = await installAlone("@x/middleware", packed);
    const printed = await runIn(
      project,
      "both.mjs",
      `
import { createRequire } from "node:module";
import * as core from "@x/permission-core";
import * as esm from "@x/middleware";
const require = createRequire(import.meta.url);
const cjsCore = require("@x/permission-core");
const cjs = require("@x/middleware");
const quiet = () => {};

// A gate of the one copy in a pipeline of the other, with a store of the first.
const store = new cjsCore.MemoryGrantStore();
await store.save(cjsCore.createGrant("echo", "Allow", "this_tool"));
const gate = cjs.PermissionMiddleware.fromContext().withCheck(() => ({ kind: "ask", prompt: "run?" })).withGrants(store);
const tool = { name: "echo", description: "", inputSchema: {}, call: (input) => {
  if (input.refuse) throw new cjs.ToolPermissionError("not today");
  return input.text;
} };
const pipeline = esm.ToolPipeline.builder({ onReport: quiet }).withCore([tool]).withMiddleware(new cjs.TimeoutMiddleware(1000)).withMiddleware(gate).withMiddleware(new cjs.MemoizeMiddleware()).build();
const ran = await pipeline.invoke({ toolName: "echo", callId: "c", input: { text: "hello" } });
const refused = await pipeline.invoke({ toolName: "echo", callId: "c", input: { refuse: true } });

// An error of the one, recognised by the other, both ways.
const unavailable = new cjsCore.PermissionGateError("ask_unavailable", "nobody here");
const asked = esm.PermissionMiddleware.fromContext().withCheck(() => ({ kind: "ask", prompt: "?" })).withAskResolver({ interactive: false, resolve: () => { throw unavailable; } });
const denied = await cjs.ToolPipeline.builder({ onReport: quiet }).withCore([tool]).withMiddleware(asked).build().invoke({ toolName: "echo", callId: "c", input: {} });

console.log(JSON.stringify({
  separate: core.PermissionGateError !== cjsCore.PermissionGateError,
  ran: [ran.output, ran.gate.rule_source],
  refused: [refused.errorKind, refused.output],
  denied: denied.gate.reason,
  recognised: core.isPermissionGateError(unavailable, "ask_unavailable"),
  digests: core.argsDigest({ a: 1 }) === cjsCore.argsDigest({ a: 1 }),
}));
`,
    );
    expect(JSON.parse(printed)).toEqual({
      separate: true,
      ran: ["hello", "grant"],
      refused: ["permission", "not today"],
      denied: "approval channel unavailable",
      recognised: true,
      digests: true,
    });
  });
});
