import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createWebhookApprovals } from "@x/ask-channel/webhook";
import { startPhone } from "@x/example-webhook-node";
import { createGate, defineTool } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import { Hono } from "hono";
import * as z from "zod";

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

const app = new Hono();
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const approvals = createWebhookApprovals({
  url: phone.url,
  callbackUrl: `http://127.0.0.1:${port}/callback`,
  secrets: [secret],
  approvers: ["ana", "bob"],
  // Both ends are on this machine. Leave it out where the endpoint is a service of the public network.
  allowPrivateNetwork: true,
});

// The request as it came: nothing may read its body before.
app.all("/callback", (context) => approvals.handler(context.req.raw));

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
