import type { LookupAddress } from "node:dns";
import { createServer } from "node:net";
import { caseById } from "@x/conformance";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isPrivateAddress, isPublicAddress } from "../../src/webhook/public-address.js";
import { systemLookup } from "../../src/webhook/system-lookup.js";
import {
  WebhookAskResolver,
  type WebhookAskResolverOptions,
} from "../../src/webhook/webhook-ask-resolver.js";
import { failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SECRET } from "./support/callbacks.js";
import { json, startEndpoint, status } from "./support/endpoint.js";

vi.mock("../../src/webhook/system-lookup.js", { spy: true });
vi.mock("../../src/webhook/public-address.js", { spy: true });

const A = pendingAsk("A");
const UNAVAILABLE = { code: "ask_unavailable" };
const REFUSED = "the webhook endpoint has an address that asks are not sent to";

/** Has every name lead to these, on the first look-up, the second, and so on; the last goes on for ever. */
function namesLeadTo(...turns: string[][]) {
  const left = [...turns];
  vi.mocked(systemLookup).mockImplementation((_hostname, _options, callback) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }),
    );
    process.nextTick(() => callback(null, found));
  });
}

/** Takes addresses of loopback that start so for public ones: there is no other way to reach one in a test. */
function takeForPublic(prefix: string) {
  vi.mocked(isPublicAddress).mockImplementation((address) => address.startsWith(prefix));
  vi.mocked(isPrivateAddress).mockImplementation((address) => !address.startsWith(prefix));
}

function resolverFor(url: string, options: Omit<Partial<WebhookAskResolverOptions>, "url"> = {}) {
  const all = { url, secrets: [SECRET], allowHttp: true, attempts: 2, retryDelayMs: 1, ...options };
  const resolver = new WebhookAskResolver(all);
  onTestFinished(() => resolver.close());
  const resolve = () => resolver.resolve(A, wait().context);
  return { outcome: () => outcomeOf(resolve()), failure: () => failureOf(resolve()) };
}

beforeEach(() => {
  vi.mocked(systemLookup).mockClear();
});

afterEach(() => {
  vi.mocked(systemLookup).mockReset();
  vi.mocked(isPublicAddress).mockReset();
  vi.mocked(isPrivateAddress).mockReset();
});

describe("an endpoint given as an address", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "2130706433",
    "127.0.0.1.",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "172.16.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "192.88.99.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::a01:203]",
    "[1::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::1]",
    "[2001::1]",
    "[2002:7f00:1::]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
  ])("is refused unless it is public, in every spelling: %s", (host) => {
    for (const url of [`http://${host}/`, `https://${host}:8443/asks`]) {
      const create = () => resolverFor(url);
      expect(create).toThrow(expect.objectContaining({ code: "invalid_option" }));
      expect(create).toThrow("url: the endpoint's address is not public");
    }
  });

  it.each(["8.8.8.8", "0x08080808", "[2606:4700:4700::1111]"])("is taken when it is public: %s", (host) => {
    expect(() => resolverFor(`https://${host}/`)).not.toThrow();
  });

  it("[CASE-185] is refused as a number, in hexadecimal, mapped, behind a name and with a user", async () => {
    const { json: urls } = caseById("CASE-185").input as { json: string[] };
    namesLeadTo(["127.0.0.1"]);
    expect(urls).toHaveLength(5);
    for (const url of urls) {
      if (new URL(url).hostname === "rebind.example") {
        const { failure } = resolverFor(url);
        expect(await failure()).toMatchObject({ ...UNAVAILABLE, message: REFUSED });
      } else expect(() => resolverFor(url)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    }
  });
});

describe("an endpoint given as a name", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["link-local", ["169.254.169.254"]],
    ["link-local of IPv6", ["fe80::1%lo"]],
    ["a private network", ["10.1.2.3"]],
    ["a public address and a private one", ["8.8.8.8", "127.0.0.1"]],
    ["what is no address", ["not an address"]],
  ])("is refused, nothing is sent and nothing repeated, when it leads to %s", async (_name, addresses) => {
    const { port, received } = await startEndpoint(json("Approve"));
    namesLeadTo(addresses);
    const { failure } = resolverFor(`http://inside.example:${port}/`);
    expect(await failure()).toMatchObject({ ...UNAVAILABLE, message: REFUSED });
    expect(systemLookup).toHaveBeenCalledOnce();
    expect(received).toHaveLength(0);
  });

  it("is refused when it is localhost, as the system knows it", async () => {
    const { port, received } = await startEndpoint(json("Approve"));
    const { outcome } = resolverFor(`http://localhost:${port}/`);
    expect(await outcome()).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(0);
  });

  it("is unavailable when it leads nowhere", async () => {
    namesLeadTo([]);
    expect(await resolverFor("http://nowhere.example/").outcome()).toEqual(UNAVAILABLE);
  });

  it("is connected to at the address that was checked: one look-up for each connection", async () => {
    takeForPublic("127.0.0.1");
    const { port, received } = await startEndpoint(json("Approve"));
    namesLeadTo(["127.0.0.1"], ["127.0.0.2"]);
    const { outcome } = resolverFor(`http://ok.example:${port}/`);
    expect(await outcome()).toEqual({ value: { resolution: "Approve" } });
    expect(systemLookup).toHaveBeenCalledOnce();
    expect(received[0]?.headers["host"]).toBe(`ok.example:${port}`);
  });

  it("is checked again for each new connection, and refused when it leads inside by then", async () => {
    takeForPublic("127.0.0.1");
    const { port, received } = await startEndpoint((response) =>
      response.writeHead(500, { connection: "close" }).end(),
    );
    let hitsInside = 0;
    const inside = createServer((socket) => {
      hitsInside += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(port, "127.0.0.2", resolve));
    onTestFinished(() => void inside.close());
    namesLeadTo(["127.0.0.1"], ["127.0.0.2"]);
    const { failure } = resolverFor(`http://rebind.example:${port}/`);
    expect(await failure()).toMatchObject({ ...UNAVAILABLE, message: `${REFUSED}, in 2 attempts` });
    expect(systemLookup).toHaveBeenCalledTimes(2);
    expect([received.length, hitsInside]).toEqual([1, 0]);
    takeForPublic("127.");
    namesLeadTo(["127.0.0.1"], ["127.0.0.2"]);
    await resolverFor(`http://rebind.example:${port}/`).outcome();
    // Without the check, the second connection goes inside.
    expect([received.length, hitsInside]).toEqual([2, 1]);
  });

  it("[CASE-184] that redirects inside is unavailable, and where it points to is not asked", async () => {
    takeForPublic("127.0.0.1");
    const inside = await startEndpoint(json("Approve"));
    for (const location of [inside.url, "http://169.254.169.254/", "https://ok.example/elsewhere"]) {
      for (const code of [301, 302, 303, 307, 308]) {
        const { port } = await startEndpoint(status(code, { location }));
        namesLeadTo(["127.0.0.1"]);
        const { failure } = resolverFor(`http://ok.example:${port}/`);
        expect(await failure()).toMatchObject({
          ...UNAVAILABLE,
          message: `the webhook endpoint answered with status ${code}`,
        });
      }
    }
    expect(inside.received).toHaveLength(0);
  });
});

describe("what the options allow", () => {
  it("is private networks, by address and by name, with allowPrivateNetwork, without TLS too", async () => {
    const { port, received } = await startEndpoint(json("Approve"));
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
      const { outcome } = resolverFor(`http://${host}:${port}/`, {
        allowHttp: false,
        allowPrivateNetwork: true,
      });
      expect(await outcome()).toEqual({ value: { resolution: "Approve" } });
    }
    expect(received).toHaveLength(3);
  });

  it.each(["[::ffff:8.8.8.8]", "[64:ff9b::808:808]", "[2002:808:808::1]", "[2001:db8::1]"])(
    "is nothing without TLS that may lead to the public network, with allowPrivateNetwork alone: %s",
    (host) => {
      const inside = { allowHttp: false, allowPrivateNetwork: true };
      expect(() => resolverFor(`http://${host}/`, inside)).toThrow(
        expect.objectContaining({ code: "invalid_option", message: expect.stringContaining("not private") }),
      );
      expect(() => resolverFor(`https://${host}/`, inside)).not.toThrow();
      expect(() => resolverFor(`http://${host}/`, { allowPrivateNetwork: true })).not.toThrow();
    },
  );

  it("is no public address without TLS with allowPrivateNetwork alone", async () => {
    const { port, received } = await startEndpoint(json("Approve"));
    takeForPublic("127.");
    namesLeadTo(["127.0.0.1"]);
    const inside = { allowHttp: false, allowPrivateNetwork: true };
    const { failure } = resolverFor(`http://ok.example:${port}/`, inside);
    expect(await failure()).toMatchObject({ ...UNAVAILABLE, message: REFUSED });
    expect(() => resolverFor("http://127.0.0.1/", inside)).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
    expect(
      await resolverFor(`http://ok.example:${port}/`, { allowPrivateNetwork: true }).outcome(),
    ).toMatchObject({
      value: {},
    });
    expect(received).toHaveLength(1);
  });
});
