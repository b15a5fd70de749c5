import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { nodeWorkspace, ProjectRuleResolver } from "../../src/config/index.js";
import { lines } from "./support/rules-of.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const program = fileURLToPath(new URL("./fixtures/rewriting.mjs", import.meta.url));

it("never loses the denies of a file that another process rewrites, and ends with what it wrote last", async () => {
  const folder = temporaryFolder({ ".permissions/settings.yaml": "permissions: { deny: [A] }" });
  const resolver = new ProjectRuleResolver({ userConfigDir: null });
  const workspace = nodeWorkspace(folder);
  const writer = spawn(process.execPath, [program, join(folder, ".permissions/settings.yaml"), "1500"]);
  let running = true;
  const ended = once(writer, "exit").then(([code]) => {
    running = false;
    return code as number | null;
  });
  const seen = new Set<string>();
  while (running) {
    for (let round = 0; round < 50; round++) {
      const { failClosed, rules } = resolver.resolve(workspace);
      seen.add(failClosed === null ? lines({ rules }).join() : "closed");
    }
    await setImmediate();
  }
  expect(await ended).toBe(0);
  expect(lines(resolver.resolve(workspace))).toEqual(["deny all C"]);
  seen.delete("closed");
  seen.delete("deny all C");
  expect([...seen].sort()).toEqual(["deny all A", "deny all B"]);
});
