import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RedisProcess } from "@x/redis-server";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./support/packed.js";
import { PUBLISHED, ROOT } from "./support/workspace.js";

interface Example {
  /** file of the example: where it stands and which it is */
  name: string;
  code: string;
}

/** Inside this package, so that examples resolve every package. */
const FOLDER = join(ROOT, "tests/integration/reports/examples");

async function examplesOf(readme: string, label: string): Promise<Example[]> {
  const text = await readFile(readme, "utf8");
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code], index) => ({
    name: `${label}-${index + 1}`,
    code: code ?? "",
  }));
}

const examples = (
  await Promise.all([
    examplesOf(join(ROOT, "README.md"), "root"),
    ...PUBLISHED.map(({ folder, manifest }) =>
      examplesOf(join(folder, "README.md"), manifest.name.replace("@x/", "")),
    ),
  ])
).flat();

/** Examples of tests run under a test runner, in their own package. */
const runnable = examples.filter(({ code }) => !/from "vitest"/.test(code));

/** What an example says it prints: the text behind `// ` on its `console.log` lines. */
function promisedOutput(code: string): string[] {
  return code
    .split("\n")
    .filter((line) => line.includes("console.log("))
    .flatMap((line) => line.match(/\/\/ (.*)$/)?.[1] ?? []);
}

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const { name, code } of examples) {
    await writeFile(join(FOLDER, `${name}.ts`), `${code}\nexport {};\n`);
    const { code: javascript } = await transform(code, { loader: "ts", format: "esm", target: "es2022" });
    await writeFile(join(FOLDER, `${name}.mjs`), javascript);
  }
});

describe("the examples of the READMEs", () => {
  it("type-check as they stand", async () => {
    const tsconfig = join(FOLDER, "tsconfig.json");
    await writeFile(
      tsconfig,
      JSON.stringify({
        extends: "@x/build/tsconfig.json",
        // An example may show a value without using it.
        compilerOptions: { noUnusedLocals: false },
        include: ["*.ts"],
      }),
    );
    const checked = await run(join(ROOT, "node_modules/.bin/tsc"), ["--noEmit", "--project", tsconfig]).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe("");
  });

  let state: string;
  let redis: RedisProcess;
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), "permission-gate-examples-"));
    redis = await RedisProcess.start();
  });
  afterAll(async () => {
    await redis.close();
    await rm(state, { recursive: true, force: true });
  });

  it.each(runnable)("run, and print what they say: $name", async ({ name, code }) => {
    const env = { ...process.env, XDG_STATE_HOME: state, REDIS_URL: redis.url };
    const { stdout } = await run(process.execPath, [join(FOLDER, `${name}.mjs`)], { cwd: FOLDER, env });
    for (const line of promisedOutput(code)) expect(stdout).toContain(line);
  });
});
