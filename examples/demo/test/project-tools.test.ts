import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "@x/middleware";
import { isPermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { projectTools } from "../src/tools/project-tools.js";
import { temporaryFolder } from "./support/run-demo.js";

const context: ToolContext = {
  sessionId: "s",
  runId: "r",
  isNonInteractive: true,
  signal: new AbortController().signal,
};

const POLLING = { timeout: 10_000 };

/** Whether the process has not ended; one that ended and that nobody asked about yet has. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

/** The tools themselves, with no gate before them. */
function toolsIn(root: string) {
  const [list, read, grep, write, edit, shell] = projectTools(root, { shellDescription: "Runs." });
  return { list, read, grep, write, edit, shell };
}

describe("the tools, without a gate", () => {
  it("refuse by themselves what leads outside", async () => {
    const folder = temporaryFolder();
    const root = join(folder, "project");
    mkdirSync(root);
    writeFileSync(join(folder, "secret.txt"), "old");
    symlinkSync(folder, join(root, "link"));
    const { list, read, grep, write, edit } = toolsIn(root);
    const path = "link/secret.txt";
    for (const attempt of [
      async () => list.call({ path }, context),
      async () => read.call({ path }, context),
      async () => grep.call({ path, text: "old" }, context),
      async () => write.call({ path, content: "new" }, context),
      async () => edit.call({ path, old: "old", new: "new" }, context),
    ]) {
      await expect(attempt()).rejects.toSatisfy((error) => isPermissionGateError(error, "tool_permission"));
    }
    expect(readFileSync(join(folder, "secret.txt"), "utf8")).toBe("old");
  });

  it("edit what is there once, say so where the edit was made before, and fail where it does not fit", async () => {
    const root = temporaryFolder();
    const file = join(root, "file.txt");
    writeFileSync(file, "one\ntwo\n");
    const { edit } = toolsIn(root);
    const run = async (old: string, replacement: string) =>
      edit.call({ path: "file.txt", old, new: replacement }, context);
    const insert = () => run("one\n", "one\nand a half\n");
    await expect(insert()).resolves.toEqual({ summary: "file.txt: edited" });
    await expect(insert()).resolves.toEqual({ summary: "file.txt: edited like this already" });
    await expect(run("two", "2")).resolves.toEqual({ summary: "file.txt: edited" });
    await expect(run("two", "2")).resolves.toEqual({ summary: "file.txt: edited like this already" });
    await expect(run("three", "3")).rejects.toThrow("does not hold the old text");
    await expect(run("n", "m")).rejects.toThrow("more than once");
    expect(readFileSync(file, "utf8")).toBe("one\nand a half\n2\n");
    expect(readdirSync(root)).toEqual(["file.txt"]);
  });

  it("leave bytes that are no text alone, and find lines in one file as in a folder", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "bytes"), Buffer.from([0xff, 0x61]));
    writeFileSync(join(root, "text"), "a\nb\n");
    const { edit, grep } = toolsIn(root);
    await expect(edit.call({ path: "bytes", old: "a", new: "b" }, context)).rejects.toThrow(/encoded data/);
    await expect(grep.call({ path: "text", text: "b" }, context)).resolves.toMatchObject({
      matches: ["text:2: b"],
    });
    await expect(grep.call({ path: ".", text: "a" }, context)).resolves.toMatchObject({
      matches: ["text:1: a"],
    });
  });

  it("end a command that is called off, and all that it began", async () => {
    const root = temporaryFolder();
    const controller = new AbortController();
    const { shell } = toolsIn(root);
    const pidFile = join(root, "pid");
    const command = "sh -c 'echo $$ > pid; exec sleep 30' & sleep 30";
    const running = Promise.resolve(shell.call({ command }, { ...context, signal: controller.signal }));
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8"), POLLING).toMatch(/\n$/);
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(isRunning(pid)).toBe(true);
    controller.abort(new Error("called off"));
    await expect(running).rejects.toThrow("called off");
    await expect.poll(() => isRunning(pid), POLLING).toBe(false);
  });
});
