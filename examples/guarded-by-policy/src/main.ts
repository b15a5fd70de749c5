import { fileURLToPath } from "node:url";
import { runProgram } from "@x/example-demo";
import { RulePolicy } from "@x/policy";
import { loadPermissionFiles, nodeWorkspace } from "@x/policy/config";

const POLICY_FILE = fileURLToPath(new URL("../permissions.yaml", import.meta.url));

/** What the rules call the tools of the session. The shell tool runs `/bin/sh`. */
const toolKinds = {
  list: "ListDir",
  read: "Read",
  grep: "Grep",
  write: "Write",
  edit: "Edit",
  shell: "Shell",
};

await runProgram({
  name: "guarded-by-policy",
  async judges(project) {
    const rules = await loadPermissionFiles({ cli: [POLICY_FILE], userConfigDir: null, toolKinds });
    for (const { file, line, message } of rules.problems) console.warn(`${file}:${line ?? 1}: ${message}`);
    // What "for this session" means is kept in this process's memory, unless it is given a `store`.
    return { policy: new RulePolicy({ rules, toolKinds }), workspace: nodeWorkspace(project) };
  },
});
