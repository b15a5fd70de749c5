import {
  createGrant,
  type Grant,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
  PermissionGateError,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, recordOf, turn } from "../support/gate-rig.js";

const PROMPT = "Remembered decisions cannot be read. Allow this call of tool 't'?";
const REPORT = "Remembered decisions could not be read for tool 't'; the call needs an approval.";

/** A store in which this stands in the place of `find`; counts how often it was looked into. */
function storeFinding(find: () => unknown) {
  let finds = 0;
  const store: GrantStore = Object.assign(new MemoryGrantStore(), {
    find: () => {
      finds++;
      return find() as Promise<Grant[]>;
    },
  });
  return { store, finds: () => finds };
}

const broken = () =>
  storeFinding(() => Promise.reject(new PermissionGateError("storage", "disk gone"))).store;
const grant = createGrant("t", "Allow", { this_call: { args: INPUT } });

const FAILURES: readonly [string, () => unknown][] = [
  ["rejects", () => Promise.reject(new Error("disk gone"))],
  [
    "throws",
    () => {
      throw new Error("disk gone");
    },
  ],
  ["gives nothing", () => undefined],
  ["gives no list", async () => ({})],
  ["gives what is no grant", async () => [null]],
  ["gives a grant of an unknown verdict", async () => [{ ...grant, verdict: "Maybe" }]],
  ["gives a grant of an unknown scope", async () => [{ ...grant, scope: "everything" }]],
  ["gives a grant whose end is no time", async () => [{ ...grant, expires_at_ms: "soon" }]],
];

describe("a store that fails makes the call a question, also where the check allows", () => {
  it.each(FAILURES)("when it %s", async (_, find) => {
    const resolver = scriptedResolver(["Approve"]);
    const { store } = storeFinding(find);
    const gate = PermissionMiddleware.allowAll().withGrants(store).withAskResolver(resolver);
    const { invoke, inputs, errors } = gateRig(gate);
    const result = await invoke();
    expect(resolver.asks.map(({ prompt }) => prompt)).toEqual([PROMPT]);
    expect(result.gate).toEqual(recordOf("ask_allowed", "ask", "ask_resolver"));
    expect(inputs).toEqual([INPUT]);
    expect(errors().map(({ message }) => message)).toEqual([REPORT]);
  });

  it("when it hangs, once the check's time is up", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { store } = storeFinding(() => new Promise(() => {}));
    const gate = PermissionMiddleware.allowAll()
      .withGrants(store)
      .withAskResolver(resolver)
      .withCheckTimeout(100);
    const { invoke, clock, errors } = gateRig(gate);
    const running = invoke();
    clock.advance(99);
    await turn();
    expect(resolver.asks).toEqual([]);
    clock.advance(1);
    expect((await running).gate?.verdict).toBe("ask_allowed");
    expect(errors()).toHaveLength(1);
  });

  it("and a cancel while it hangs ends the call without a prompt", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { store } = storeFinding(() => new Promise(() => {}));
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", () => PermissionCheck.allow())
      .withGrants(store)
      .withAskResolver(resolver);
    const cancel = new AbortController();
    const { invoke, inputs, errors } = gateRig(gate);
    const running = invoke({ signal: cancel.signal });
    cancel.abort();
    expect((await running).gate).toEqual(recordOf("cancelled", "own", "engine", "cancelled while deciding"));
    expect(resolver.asks).toEqual([]);
    expect(inputs).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it("and a no refuses it", async () => {
    const gate = PermissionMiddleware.allowAll()
      .withGrants(broken())
      .withAskResolver(scriptedResolver(["Deny"]));
    const { invoke, inputs } = gateRig(gate);
    expect((await invoke()).gate?.reason).toBe("denied by user");
    expect(inputs).toEqual([]);
  });

  it("and where there is nobody to ask, it is denied", async () => {
    const { invoke, inputs } = gateRig(PermissionMiddleware.allowAll().withGrants(broken()));
    const result = await invoke();
    expect(result.gate).toEqual(
      recordOf("ask_unresolved", "middleware", "middleware", `permission required: ${PROMPT}`),
    );
    expect(inputs).toEqual([]);
  });

  it("but a denial stays a denial, without a question", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.denyAll().withGrants(broken()).withAskResolver(resolver);
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("deny");
    expect(resolver.asks).toEqual([]);
  });

  it("and a rewrite is asked about, and then runs as rewritten", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = gateSaying(PermissionCheck.modify({ path: "/safe" }))
      .withGrants(broken())
      .withAskResolver(resolver);
    const { invoke, inputs } = gateRig(gate);
    const result = await invoke();
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["ask_allowed", "allow_modified"]);
    expect(result.gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([{ path: "/safe" }]);
    expect(resolver.asks).toHaveLength(1);
  });

  it("and a check's own question is asked once, with its own words", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { store, finds } = storeFinding(() => Promise.reject(new Error("disk gone")));
    const gate = gateSaying(PermissionCheck.ask("run?")).withGrants(store).withAskResolver(resolver);
    const { invoke, errors } = gateRig(gate);
    expect((await invoke()).trail).toHaveLength(1);
    expect(resolver.asks.map(({ prompt }) => prompt)).toEqual(["run?"]);
    expect(finds()).toBe(1);
    expect(errors()).toHaveLength(1);
  });

  it("and offers nothing to be remembered in the store that failed", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.allowAll()
      .withGrants(broken(), { rememberTools: ["t"] })
      .withAskResolver(resolver);
    await gateRig(gate).invoke();
    expect(resolver.asks[0]).not.toHaveProperty("rememberable");
  });
});

describe("two gates with one failing store", () => {
  const pair = (store: GrantStore, inner: GrantStore, answers: "Approve"[]) => {
    const resolver = scriptedResolver(answers);
    const rig = gateRig([
      PermissionMiddleware.allowAll().withGrants(store).withAskResolver(resolver),
      PermissionMiddleware.allowAll().withGrants(inner).withAskResolver(resolver),
    ]);
    return { ...rig, resolver };
  };

  it("ask once, and the failure is reported once", async () => {
    const store = broken();
    const { invoke, inputs, errors, resolver } = pair(store, store, ["Approve"]);
    const result = await invoke();
    expect(resolver.asks).toHaveLength(1);
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["ask_allowed", "allow"]);
    expect(result.gate?.verdict).toBe("ask_allowed");
    expect(inputs).toHaveLength(1);
    expect(errors()).toHaveLength(1);
  });

  it("ask again in the next call", async () => {
    const store = broken();
    const { invoke, resolver } = pair(store, store, ["Approve", "Approve"]);
    await invoke();
    await invoke();
    expect(resolver.asks).toHaveLength(2);
  });

  it("ask once each where the stores are two", async () => {
    const { invoke, errors, resolver } = pair(broken(), broken(), ["Approve", "Approve"]);
    await invoke();
    expect(resolver.asks).toHaveLength(2);
    expect(errors()).toHaveLength(2);
  });

  it("ask at the inner gate where the store fails only there", async () => {
    let finds = 0;
    const { store } = storeFinding(() =>
      ++finds === 1 ? Promise.resolve([]) : Promise.reject(new Error("gone")),
    );
    const { invoke, resolver } = pair(store, store, ["Approve"]);
    const result = await invoke();
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["allow", "ask_allowed"]);
    expect(resolver.asks).toHaveLength(1);
  });
});
