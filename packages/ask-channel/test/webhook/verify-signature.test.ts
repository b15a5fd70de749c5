import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { messageSigner } from "../../src/webhook/sign-message.js";
import { type SignatureRules, verifySignature } from "../../src/webhook/verify-signature.js";
import { secretKeys } from "../../src/webhook/webhook-secrets.js";
import { NOW_MS, OTHER_SECRET, SECRET } from "./support/callbacks.js";

const STAMP = `${NOW_MS / 1000}`;
const keys = secretKeys([SECRET]);
const rules: SignatureRules = { keys, toleranceSeconds: 300, nowMs: NOW_MS };

function verify(
  headers: Record<string, string>,
  body: string | Uint8Array,
  given: Partial<SignatureRules> = {},
) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const verified = verifySignature(new Headers(headers), bytes, { ...rules, ...given });
  return verified.kind === "genuine" ? verified.id : verified.why;
}

function signed(body: string | Uint8Array, id = "msg_1", stamp = STAMP): Record<string, string> {
  const mac = createHmac("sha256", keys[0]).update(`${id}.${stamp}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": `v1,${mac}` };
}

const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
const text = fc.string({ unit: "grapheme", maxLength: 300 });
const id = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);

describe("a signature", () => {
  it("of the specification's own example is genuine", () => {
    const example = {
      secret: "whsec_plJ3nmyCDGBKInavdOK15jsl",
      body: '{"event_type":"ping","data":{"success":true}}',
      headers: {
        "webhook-id": "msg_loFOjxBNrRLzqYUf",
        "webhook-timestamp": "1731705121",
        "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
      },
    };
    const short = Buffer.from(example.secret.slice(6), "base64");
    expect(short).toHaveLength(18);
    const mac = createHmac("sha256", short)
      .update(`msg_loFOjxBNrRLzqYUf.1731705121.${example.body}`)
      .digest("base64");
    expect(`v1,${mac}`).toBe(example.headers["webhook-signature"]);
    const asRead = verifySignature(new Headers(example.headers), Buffer.from(example.body), {
      keys: [short],
      toleranceSeconds: 0,
      nowMs: 1_731_705_121_000,
    });
    expect(asRead).toEqual({ kind: "genuine", id: "msg_loFOjxBNrRLzqYUf" });
  });

  it("of the library is genuine here, and one made here is genuine there, for any secrets, id and body", () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        id,
        text,
        fc.nat(),
        (secrets, ofId, body, pick) => {
          const all = secretKeys(secrets);
          const one = secrets[pick % secrets.length] ?? "";
          const theirs = {
            "webhook-id": ofId,
            "webhook-timestamp": STAMP,
            "webhook-signature": new Webhook(one).sign(ofId, new Date(NOW_MS), body),
          };
          expect(verify(theirs, body, { keys: all })).toBe(ofId);
          const nowMs = Date.now();
          const ours = messageSigner(all)({ id: ofId, body }, nowMs);
          for (const each of secrets) new Webhook(each).verify(body, ours, { jsonParse: false });
          expect(verify(ours, body, { keys: secretKeys([one]), nowMs })).toBe(ofId);
        },
      ),
    );
  });

  it("is right for the very bytes, id and stamp that were signed, and for no other", () => {
    const change = fc.record({ at: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), change, (body, { at, bit }) => {
        const headers = signed(body);
        expect(verify(headers, body)).toBe("msg_1");
        const changed = body.slice();
        changed[at % body.length] = (body[at % body.length] ?? 0) ^ (1 << bit);
        expect(verify(headers, changed)).toBe("bad_signature");
        expect(verify(headers, body.subarray(1))).toBe("bad_signature");
        expect(verify({ ...headers, "webhook-id": "msg_2" }, body)).toBe("bad_signature");
        expect(verify({ ...headers, "webhook-timestamp": `${NOW_MS / 1000 + 1}` }, body)).toBe(
          "bad_signature",
        );
        expect(verify(headers, body, { keys: secretKeys([OTHER_SECRET]) })).toBe("bad_signature");
      }),
    );
  });

  it("that was changed in one character is wrong", () => {
    const right = signed("{}")["webhook-signature"] ?? "";
    fc.assert(
      fc.property(
        fc.nat({ max: right.length - 1 }),
        fc.stringMatching(/^[A-Za-z0-9+/=,v]$/),
        (at, character) => {
          const given = right.slice(0, at) + character + right.slice(at + 1);
          const expected = given === right ? "msg_1" : "bad_signature";
          expect(verify({ ...signed("{}"), "webhook-signature": given }, "{}")).toBe(expected);
        },
      ),
    );
  });

  it("is in time exactly when the stamp is within the tolerance, both ways", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.nat({ max: 999 }),
        fc.nat({ max: 999 }),
        (offsetS, toleranceSeconds, ms) => {
          const headers = signed("{}", "msg_1", `${NOW_MS / 1000 + offsetS}`);
          const read = verify(headers, "{}", { toleranceSeconds, nowMs: NOW_MS + ms });
          expect(read).toBe(Math.abs(offsetS) <= toleranceSeconds ? "msg_1" : "stale");
          expect(verify(headers, "{}", { toleranceSeconds: "off" })).toBe("msg_1");
        },
      ),
    );
  });

  it("counts wherever it stands among others, of versions unknown too, of which so many are looked at", () => {
    const right = signed("{}")["webhook-signature"] ?? "";
    const among = (list: string[]) => verify({ ...signed("{}"), "webhook-signature": list.join(" ") }, "{}");
    expect(among(["v1a,xyz", "v2,abc", "v1,", right])).toBe("msg_1");
    expect(among([right, "nonsense"])).toBe("msg_1");
    expect(among([right.replace("v1,", "v2,")])).toBe("bad_signature");
    expect(among([right.slice(3)])).toBe("bad_signature");
    expect(among([...Array.from({ length: 19 }, () => "v1,x"), right])).toBe("msg_1");
    expect(among([...Array.from({ length: 20 }, () => "v1,x"), right])).toBe("bad_signature");
  });

  it.each([
    ["no id", { "webhook-id": undefined }],
    ["an empty id", { "webhook-id": "" }],
    ["an id beyond reason", { "webhook-id": "x".repeat(257) }],
    ["no stamp", { "webhook-timestamp": undefined }],
    ["a stamp that is no number", { "webhook-timestamp": "now" }],
    ["a stamp with more behind it", { "webhook-timestamp": `${STAMP}x` }],
    ["a stamp with a fraction", { "webhook-timestamp": `${STAMP}.5` }],
    ["a stamp below 0", { "webhook-timestamp": `-${STAMP}` }],
    ["a stamp in hexadecimal", { "webhook-timestamp": "0x1" }],
    ["two stamps", { "webhook-timestamp": `${STAMP}, ${STAMP}` }],
    ["no signature", { "webhook-signature": undefined }],
  ])("is none with %s", (_name, changes) => {
    const headers = new Map(Object.entries(signed("{}")));
    for (const [name, value] of Object.entries<string | undefined>(changes)) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    expect(verify(Object.fromEntries(headers), "{}")).toBe("unsigned");
  });
});

describe("secrets", () => {
  it("are the same with and without their prefix", () => {
    expect(secretKeys([SECRET.slice("whsec_".length)])).toEqual(secretKeys([SECRET]));
  });

  it("are not repeated by the error that refuses them", () => {
    const refused = () => secretKeys([SECRET, "whsec_hunter2hunter2"]);
    expect(refused).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(refused).toThrow(/^secrets\[1\] must be base64 of 24 bytes or more, after "whsec_"$/);
  });
});
