import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describeVectors } from "@x/conformance";
import { fnv1a64 } from "@x/permission-core";
import { expect, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { temporaryFolder } from "./support/temporary-folder.js";

describeVectors("project-identity", {
  it,
  run({ given, paths, real_paths, identity_spelling, identity }) {
    const top = temporaryFolder();
    const byLength = Object.entries(real_paths).sort(([left], [right]) => left.length - right.length);
    for (const [path, real] of byLength) {
      if (existsSync(top + path)) continue;
      if (path === real) mkdirSync(top + path);
      else symlinkSync(join(top, real), top + path);
    }
    const [, dangling] = /^(\S+) -> \S+$/.exec(given) ?? [];
    if (dangling !== undefined) symlinkSync(join(top, "gone"), top + dangling);
    for (const path of paths) {
      const store = new FileGrantStore({ projectDir: top + path, rootDir: top });
      // The tree stands in a folder of its own, so the spelling begins with that.
      expect(store.projectId).toBe(fnv1a64(top + identity_spelling));
      expect(store.ledgerPath).toBe(join(top, "projects", store.projectId, "grants.json"));
    }
    expect(fnv1a64(identity_spelling)).toBe(identity);
  },
});
