import { createGate, defineTool } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import * as z from "zod";
import { SqliteGrantStore } from "./sqlite-grant-store.js";

const grants = new SqliteGrantStore(process.argv[2] ?? "grants.db");

const deploy = defineTool({
  name: "deploy",
  description: "Deploys to a target",
  input: z.object({ target: z.string() }),
  run: ({ target }) => `deployed to ${target}`,
});

const gate = createGate({
  tools: [deploy],
  checks: { deploy: ({ target }) => PermissionCheck.ask(`Deploy to ${target}?`) },
  grants,
  askResolver(prompt) {
    console.log(`${prompt} Yes, and always for this call.`);
    return { resolution: "Approve", remember: "this_call", decided_by: "example" };
  },
});

const result = await gate.dispatch({ toolName: "deploy", callId: "1", input: { target: "staging" } });
console.log(result.output, "by", result.gate?.verdict, "of", result.gate?.rule_source);

await gate.close();
grants.close();
