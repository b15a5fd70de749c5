import { join } from "node:path";
import { expect, it } from "vitest";
import { loadPermissionFiles, nodeWorkspace, ProjectRuleResolver } from "../../src/config/index.js";
import { RulePolicy } from "../../src/policy/rule-policy.js";
import { temporaryFolder, writeIn } from "./support/temporary-folder.js";

const request = (folder: string, tool: string, input: { [key: string]: string }) =>
  ({
    sessionId: "s",
    mode: "default",
    audience: "main",
    call: { tool, input },
    workspace: nodeWorkspace(folder),
  }) as const;

it("[CASE-087] denies the first call by a deny that the files hold at start", () => {
  const folder = temporaryFolder({
    ".permissions/settings.yaml": "permissions: { deny: [Read(**/.env*)] }",
    "b/.env": "x",
  });
  const policy = new RulePolicy({ rules: new ProjectRuleResolver({ userConfigDir: null }) });
  expect(policy.evaluate(request(folder, "Read", { path: "b/.env" }))).toMatchObject({ effect: "deny" });
});

it("[CASE-068] enforces a managed deny over a local allow, and lists it with its source", async () => {
  const folder = temporaryFolder({
    "managed.yaml": "permissions:\n  deny:\n    - Bash(kubectl:*)\n",
    ".permissions/settings.local.yaml": "permissions: { allow: ['Bash(kubectl:*)'] }",
  });
  const managed = join(folder, "managed.yaml");
  const options = { managed: [managed], userConfigDir: null, trustProject: true };
  const set = await loadPermissionFiles({ ...options, workspace: nodeWorkspace(folder) });
  expect(set.rules).toMatchObject([
    { scope: "managed", effect: "deny", origin: { file: managed, line: 3 } },
    { scope: "local-project", effect: "allow" },
  ]);
  for (const rules of [set, new ProjectRuleResolver(options)]) {
    const decision = await new RulePolicy({ rules }).evaluate(
      request(folder, "Bash", { command: "kubectl get pods" }),
    );
    expect(decision).toMatchObject({ effect: "deny", rule: { scope: "managed" } });
    expect(decision.reason).toContain(`${managed}:3`);
  }
});

it("asks about everything that is not denied while a file is broken, with that problem as the reason", async () => {
  const folder = temporaryFolder({
    ".permissions/settings.local.yaml": "permissions: { allow: [Read], deny: [Read(**/.env)] }",
    ".permissions/settings.yaml": "permissions: { denny: [] }",
  });
  const policy = new RulePolicy({
    rules: new ProjectRuleResolver({ userConfigDir: null, trustProject: true }),
  });
  const asked = await policy.evaluate(request(folder, "Read", { path: "a" }));
  expect(asked).toMatchObject({ effect: "ask", configuredAsk: true });
  expect(asked.reason).toContain(`${join(folder, ".permissions/settings.yaml")}:1:16 is an unknown key`);
  expect(await policy.evaluate(request(folder, "Read", { path: ".env" }))).toMatchObject({ effect: "deny" });
  writeIn(folder, ".permissions/settings.yaml", "permissions: {}");
  expect(await policy.evaluate(request(folder, "Read", { path: "a" }))).toMatchObject({ effect: "allow" });
});

it("makes a tool ask over every allow where its deny cannot be read", async () => {
  const folder = temporaryFolder({
    ".permissions/settings.yaml": "permissions: { deny: ['Read(**/.env'], allow: [Read, Grep] }",
  });
  const policy = new RulePolicy({
    rules: new ProjectRuleResolver({ userConfigDir: null, trustProject: true }),
  });
  const asked = await policy.evaluate(request(folder, "Read", { path: "a" }));
  expect(asked).toMatchObject({ effect: "ask", configuredAsk: true });
});
