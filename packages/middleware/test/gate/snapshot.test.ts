import {
  argsDigest,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
  type PolicyRequest,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, TimeoutMiddleware, type ToolMiddleware } from "../../src/index.js";
import { deferred, gateRig, policyDecision, stubPolicy, turn } from "../support/gate-rig.js";

/** What the model called for, and what its caller makes of it while somebody decides. */
const given = () => ({ path: "/tmp/x", deep: { list: [1] } });
const ORIGINAL = given();

function change(input: ReturnType<typeof given>): void {
  input.path = "/etc/passwd";
  input.deep.list.push(2);
}

describe("an input that the caller changes while somebody decides runs as it was digested", () => {
  it("while an asynchronous check decides", async () => {
    const check = deferred<PermissionCheck>();
    const gate = PermissionMiddleware.fromContext().withCheck(() => check.promise);
    const { invoke, inputs } = gateRig(gate);
    const input = given();
    const running = invoke({ input });
    change(input);
    check.resolve(PermissionCheck.allow());
    const result = await running;
    expect(inputs).toEqual([ORIGINAL]);
    expect(result.gate?.args_digest).toBe(argsDigest(ORIGINAL));
  });

  it("and the check sees it so through its context", async () => {
    const wait = deferred<void>();
    const seen: unknown[] = [];
    const gate = PermissionMiddleware.fromContext().withCheck(async (context) => {
      await wait.promise;
      seen.push(context.input);
      return PermissionCheck.allow();
    });
    const { invoke } = gateRig(gate);
    const input = given();
    const running = invoke({ input });
    change(input);
    wait.resolve();
    await running;
    expect(seen).toEqual([ORIGINAL]);
  });

  it("and a policy sees it so, however late it looks", async () => {
    const wait = deferred<void>();
    const seen: unknown[] = [];
    const policy = stubPolicy(async (request: PolicyRequest) => {
      await wait.promise;
      seen.push(request.call.input);
      return policyDecision("allow");
    });
    const { invoke, inputs } = gateRig(PermissionMiddleware.fromContext().withPolicy(policy));
    const input = given();
    const running = invoke({ input });
    change(input);
    wait.resolve();
    await running;
    expect(seen).toEqual([ORIGINAL]);
    expect(inputs).toEqual([ORIGINAL]);
  });

  it("while an ask waits, and the ask's digest is of what runs", async () => {
    const answer = deferred<"Approve">();
    const resolver = scriptedResolver([() => answer.promise]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("run?"))
      .withAskResolver(resolver);
    const { invoke, inputs } = gateRig(gate);
    const input = given();
    const running = invoke({ input });
    change(input);
    await turn();
    answer.resolve("Approve");
    await running;
    expect(inputs).toEqual([ORIGINAL]);
    expect(resolver.asks[0]?.args_digest).toBe(argsDigest(ORIGINAL));
  });

  it("while remembered decisions are looked up", async () => {
    const found = deferred<[]>();
    const store: GrantStore = Object.assign(new MemoryGrantStore(), { find: () => found.promise });
    const gate = PermissionMiddleware.allowAll().withGrants(store);
    const { invoke, inputs } = gateRig(gate);
    const input = given();
    const running = invoke({ input });
    change(input);
    found.resolve([]);
    await running;
    expect(inputs).toEqual([ORIGINAL]);
  });

  it("while a layer of the host's own waits, outside the gate", async () => {
    const wait = deferred<void>();
    const slow: ToolMiddleware = {
      name: "slow",
      async dispatch(_, next) {
        await wait.promise;
        return next();
      },
    };
    const { invoke, inputs } = gateRig([slow, PermissionMiddleware.allowAll()]);
    const input = given();
    const running = invoke({ input });
    change(input);
    wait.resolve();
    await running;
    expect(inputs).toEqual([ORIGINAL]);
  });

  it("and what a policy learns from the answer is what was asked about", async () => {
    const answer = deferred<{ resolution: "Approve"; remember: "session" }>();
    const learned: unknown[] = [];
    const rule = { scope: "user", tool: "t", pattern: "/tmp/x", effect: "allow" } as const;
    const policy = stubPolicy(policyDecision("ask"), {
      learnable: () => rule,
      learn: ({ call }) => {
        learned.push(structuredClone(call.input));
        return rule;
      },
    });
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy)
      .withAskResolver({ interactive: false, resolve: () => answer.promise });
    const { invoke } = gateRig(gate);
    const input = given();
    const running = invoke({ input, toolContext: { sessionId: "s" } });
    await turn();
    change(input);
    answer.resolve({ resolution: "Approve", remember: "session" });
    await running;
    expect(learned).toEqual([ORIGINAL]);
  });
});

it("what a layer of the host's own changes in place is what is asked about and runs, also under a timeout", async () => {
  const changing: ToolMiddleware = {
    name: "changing",
    dispatch(context, next) {
      Object.assign(context.input as object, { path: "/changed" });
      return next();
    },
  };
  const resolver = scriptedResolver(["Approve"]);
  const asking = PermissionMiddleware.fromContext()
    .withCheck(() => PermissionCheck.ask("run?"))
    .withAskResolver(resolver);
  const { invoke, inputs } = gateRig([changing, new TimeoutMiddleware(1_000), asking]);
  const input = given();
  expect((await invoke({ input })).output).toBe("ran");
  expect(inputs).toEqual([{ ...ORIGINAL, path: "/changed" }]);
  expect(resolver.asks[0]?.args_digest).toBe(argsDigest({ ...ORIGINAL, path: "/changed" }));
  expect(input).toEqual(ORIGINAL);
});

it.each<[string, () => PermissionMiddleware]>([
  ["at once", () => PermissionMiddleware.allowAll()],
  ["later", () => PermissionMiddleware.fromContext().withCheck(async () => PermissionCheck.allow())],
])(
  "an input whose getters read differently each time is read once where checks answer %s",
  async (_, gate) => {
    let reads = 0;
    const input = {
      get path() {
        return reads++ === 0 ? "/tmp/x" : "/etc/passwd";
      },
    };
    const { invoke, inputs } = gateRig(gate());
    const result = await invoke({ input });
    expect(inputs).toEqual([{ path: "/tmp/x" }]);
    expect(Object.getOwnPropertyDescriptor(inputs[0], "path")).toHaveProperty("value", "/tmp/x");
    expect([reads, result.gate?.args_digest]).toEqual([1, argsDigest({ path: "/tmp/x" })]);
  },
);

describe.each<
  [string, (check: (input: ReturnType<typeof given>) => Promise<PermissionCheck>) => PermissionMiddleware]
>([
  [
    "the check of a tool",
    (check) => PermissionMiddleware.fromContext().withToolCheck("t", (input) => check(input as never)),
  ],
  [
    "a check that took the input out of its context",
    (check) => PermissionMiddleware.fromContext().withCheck((context) => check(context.input as never)),
  ],
])("%s judges what runs, whatever the caller does", (_, gateWith) => {
  it("while it waits", async () => {
    const wait = deferred<void>();
    const seen: unknown[] = [];
    const gate = gateWith(async (input) => {
      await wait.promise;
      seen.push(structuredClone(input));
      return PermissionCheck.allow();
    });
    const { invoke, inputs } = gateRig(gate);
    const input = given();
    const running = invoke({ input });
    change(input);
    wait.resolve();
    await running;
    expect([seen, inputs]).toEqual([[ORIGINAL], [ORIGINAL]]);
  });
});

it("a tool gets the input in a copy of its own, also where checks answer at once", async () => {
  const input = given();
  const { invoke, inputs } = gateRig(PermissionMiddleware.allowAll());
  await invoke({ input });
  expect(inputs).toEqual([ORIGINAL]);
  expect(inputs[0]).not.toBe(input);
});
