import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookApprovals, nodeListener } from "@x/ask-channel/webhook";
import { createGate, defineTool } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import * as z from "zod";
import { startPhone } from "./phone.js";

const secret = `whsec_${randomBytes(32).toString("base64")}`;

const phone = await startPhone({
  secret,
  decide(ask) {
    console.log(`  the phone shows: ${ask.prompt} (${ask.details})`);
    if (ask.details === "production")
      return { resolution: "Deny", reason: "not on a Friday", decided_by: "ana" };
    return { resolution: "Approve", decided_by: "ana" };
  },
});

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

const approvals = createWebhookApprovals({
  url: phone.url,
  callbackUrl: `http://127.0.0.1:${port}/callback`,
  secrets: [secret],
  approvers: ["ana", "bob"],
  // Both ends are on this machine. Leave it out where the endpoint is a service of the public network.
  allowPrivateNetwork: true,
});

// Before any body parser: signatures are over the bytes as they came.
const takeCallback = nodeListener(approvals.handler);
server.on("request", (request, response) => {
  if (request.url === "/callback") void takeCallback(request, response);
  else response.writeHead(404).end();
});

const deploy = defineTool({
  name: "deploy",
  description: "Deploys to a target",
  input: z.object({ target: z.string() }),
  run: ({ target }) => `deployed to ${target}`,
});

const gate = createGate({
  tools: [deploy],
  checks: { deploy: ({ target }) => PermissionCheck.ask("Deploy?", { details: target }) },
  askResolver: approvals.askResolver,
  onReport: () => {},
});

for (const target of ["staging", "production"]) {
  console.log(`the agent wants to deploy to ${target}`);
  const result = await gate.dispatch({ toolName: "deploy", callId: target, input: { target } });
  // Both hear of the answer at the same time. Waiting keeps what is printed in order, and is not needed otherwise.
  await phone.hungUp();
  console.log(`  ${result.gate?.verdict}: ${result.output}`);
}

await gate.close();
await approvals.close();
server.close();
phone.close();
