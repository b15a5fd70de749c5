import { createCallbackHandler, nodeListener } from "@x/ask-channel/webhook";
import { quietly } from "../quietly.js";
import { closeOn, listen } from "./listen.js";
import { PHONES } from "./phone.js";
import type { RoleContext } from "./role.js";

/** Takes the phones' answers, and hands them to the calls, whichever processes they wait in. */
export async function serveCallbacks({ backends, settings, signal, up }: RoleContext): Promise<void> {
  const handler = createCallbackHandler({
    deliver: backends.asks.approver,
    secrets: [settings.secret],
    approvers: PHONES,
    ...quietly,
  });
  const take = nodeListener(handler);
  const { server, url } = await listen((request, response) => void take(request, response));
  up(`${url}/callback`);
  await closeOn(signal, server);
}
