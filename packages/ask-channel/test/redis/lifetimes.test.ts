import { expect, it } from "vitest";
import { outcomeOf } from "../support/asks.js";
import { channelOn, client, serverOfFile } from "./support/channels.js";

const server = await serverOfFile();

it("an approver whose user may not set lifetimes leaves no key without one, and does not count as there", async () => {
  const admin = client(server);
  const channel = channelOn(server, { requireApprover: true });
  await admin.call("ACL", "SETUSER", "short", "on", ">password", "~*", "&*", "+@all", "-pexpire");
  const approver = channel.approver({ redis: client(server, { username: "short", password: "password" }) });
  expect(await outcomeOf(approver.list())).toEqual({ value: [] });
  expect(channel.reports).toMatchObject([{ message: expect.stringContaining("out of reach") }]);
  expect(await admin.keys(`${channel.base}*`)).toEqual([]);
});
