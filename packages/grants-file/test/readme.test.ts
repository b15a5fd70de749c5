import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.js";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

it("has a README whose example runs, on the built package", () => {
  const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
  const [, example = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const state = temporaryFolder();
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", example], {
    cwd: packageFolder,
    encoding: "utf8",
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  const [found, left] = output.trimEnd().split("\n");
  expect(found).toMatch(/^Allow asked on Monday .*grants\.json$/);
  expect(existsSync(found?.replace("Allow asked on Monday ", "") ?? "")).toBe(true);
  expect(left).toBe("[]");
});
