import type { Rule } from "@x/permission-core";
import { evaluateRules } from "@x/policy";
import { measure, showTime } from "./measure.js";
import {
  type BenchmarkRule,
  casbinDecide,
  caslDecide,
  cedarDecide,
  type Decide,
  gateDecide,
} from "./policy-peers.js";
import type { BenchmarkSection } from "./section.js";

const COUNTS = [10, 100, 1_000, 10_000] as const;
const COLD_GOAL_NS = 6_000;
const GROWTH_GOAL = 2;
const PEER_GOAL = 10;
const READ_GOAL_NS = 1_000;

const SHAPES = {
  "distinct prefixes": (index: number) => `tool${index}`,
  "one shared prefix": (index: number) => `git sub${index}`,
} as const;
type Shape = keyof typeof SHAPES;

interface Row {
  shape: Shape;
  count: number;
  times: { gate: number; casl: number; casbin: number; cedar: number };
}

/** What a decision on a shell command costs as rules grow, beside engines that know no shell. */
export async function runPolicyBenchmark(): Promise<BenchmarkSection> {
  const rows: Row[] = [];
  for (const shape of Object.keys(SHAPES) as Shape[]) {
    for (const count of COUNTS) rows.push(await measureCount(shape, count));
  }
  const read = await measureRead();
  const bytes = bytesPerRule();
  return {
    title: "Rules",
    notes: [
      "Median time per decision on a plain shell command whose text was never seen before; nothing is cached by text, here or there. The matching allow is listed first, and every tenth rule is a deny of another program. `@x/policy` parses the command; the peers compare its text alone, by `$regex` (`@casl/ability`), `globMatch` with deny-override (`casbin`) and `like` on preparsed policies (`@cedar-policy/cedar-wasm`). All four give the same decisions, which is asserted first.",
      `A compiled rule takes about ${bytes} bytes of memory.`,
    ],
    table: {
      columns: ["rules", "`@x/policy`", "`@casl/ability`", "`casbin`", "`cedar-wasm`"],
      rows: [
        ...rows.map(({ shape, count, times }) => [
          `${count.toLocaleString("en")}, ${shape}`,
          showTime(times.gate),
          ...[times.casl, times.casbin, times.cedar].map(
            (peer) => `${showTime(peer)} (${(peer / times.gate).toFixed(1)}×)`,
          ),
        ]),
        ["`Read` call, 6 rules", showTime(read), "", "", ""],
      ],
    },
    goals: goalsOf(rows, read),
  };
}

function goalsOf(rows: readonly Row[], read: number): BenchmarkSection["goals"] {
  const at = (count: number) => rows.filter((row) => row.count === count);
  const grows = (shape: Shape) => {
    const of = rows.filter((row) => row.shape === shape).map(({ times }) => times.gate);
    return (of.at(-1) ?? Number.POSITIVE_INFINITY) / (of[0] ?? 0);
  };
  return [
    {
      text: "a cold shell command among 1,000 rules takes at most 6 µs, parsing included",
      met: at(1_000).every(({ times }) => times.gate <= COLD_GOAL_NS),
    },
    {
      text: "from 10 to 10,000 rules a decision gets at most 2 times slower",
      met: (Object.keys(SHAPES) as Shape[]).every((shape) => grows(shape) <= GROWTH_GOAL),
    },
    {
      text: "among 1,000 rules it is at least 10 times as fast as each peer",
      met: at(1_000).every(({ times: { gate, casl, casbin, cedar } }) =>
        [casl, casbin, cedar].every((peer) => peer >= PEER_GOAL * gate),
      ),
    },
    { text: "a `Read` call with 6 rules takes less than 1 µs", met: read < READ_GOAL_NS },
  ];
}

async function measureCount(shape: Shape, count: number): Promise<Row> {
  const rules = Array.from(
    { length: count },
    (_, index): BenchmarkRule => ({
      effect: index % 10 === 9 ? "deny" : "allow",
      program: SHAPES[shape](index),
    }),
  );
  const deciders = {
    gate: gateDecide(rules),
    casl: caslDecide(rules),
    casbin: await casbinDecide(rules),
    cedar: cedarDecide(rules, `${shape} ${count}`),
  };
  assertEqualDecisions(deciders, shape, count);
  let fresh = 0;
  const allowed = (decide: Decide) => () => decide(`${SHAPES[shape](0)} --target item-${fresh++} -v`);
  return {
    shape,
    count,
    times: await measure({
      gate: allowed(deciders.gate),
      casl: allowed(deciders.casl),
      casbin: allowed(deciders.casbin),
      cedar: allowed(deciders.cedar),
    }),
  };
}

function assertEqualDecisions(deciders: Record<string, Decide>, shape: Shape, count: number): void {
  const commands = [
    ...[0, 1, 8, 9, count - 2, count - 1, count, count + 7].map((index) => `${SHAPES[shape](index)} --x 1`),
    "other program",
  ];
  for (const command of commands) {
    const answers = Object.entries(deciders).map(([name, decide]) => `${name} ${decide(command)}`);
    if (new Set(answers.map((answer) => answer.split(" ")[1])).size > 1)
      throw new Error(`The engines disagree on '${command}' among ${count} rules: ${answers.join(", ")}`);
  }
}

async function measureRead(): Promise<number> {
  const rules: readonly Rule[] = [
    { scope: "user", tool: "Read", pattern: "docs/**", effect: "allow" },
    { scope: "user", tool: "Read", pattern: "src/**", effect: "allow" },
    { scope: "user", tool: "Read", pattern: "**/.env", effect: "deny" },
    { scope: "user", tool: "Read", pattern: "secrets/**", effect: "deny" },
    { scope: "user", tool: "Edit", pattern: "src/**", effect: "ask" },
    { scope: "user", tool: "Bash", pattern: "git status", effect: "allow" },
  ];
  let fresh = 0;
  const { read } = await measure({
    read: () =>
      evaluateRules({ rules, call: { tool: "Read", input: { path: `src/file-${fresh++}.ts` } } }).effect,
  });
  return read;
}

/** Of 100,000 rules with patterns of their own, over what the rules themselves take. */
function bytesPerRule(): number {
  const count = 100_000;
  const rules = Array.from(
    { length: count },
    (_, index): Rule => ({ scope: "user", tool: "Bash", pattern: `tool${index} *`, effect: "allow" }),
  );
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const decision = evaluateRules({ rules, call: { tool: "Bash", input: { command: "tool1 x" } } });
  globalThis.gc?.();
  const after = process.memoryUsage().heapUsed;
  if (decision.effect !== "allow") throw new Error("The compiled rules did not match");
  return Math.round((after - before) / count);
}
