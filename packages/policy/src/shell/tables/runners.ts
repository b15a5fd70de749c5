import type { OptionShape } from "../options.js";
import type { Wrapper } from "./wrapper.js";

/** A program one of whose subcommands starts another program. What is said of options and operands holds after the subcommand. */
export interface Runner extends Wrapper {
  /** the words that name the subcommand */
  readonly after: readonly string[];
  /** options before the subcommand that take a value */
  readonly before?: OptionShape;
  /** a `--` may stand before the program, and more of its own words before that */
  readonly dashed?: boolean;
  /** its program runs where our paths mean nothing */
  readonly elsewhere?: boolean;
}

const CONTAINER: Omit<Runner, "names" | "why" | "after"> = {
  wrapping: "outer",
  flags: "ditT",
  values: "euw",
  longFlags: ["--detach", "--interactive", "--tty", "--privileged", "--no-TTY", "--no-tty"],
  longValues: ["--env", "--env-file", "--user", "--workdir", "--detach-keys", "--index"],
  operands: 1,
  elsewhere: true,
};

export const RUNNERS: readonly Runner[] = [
  {
    ...CONTAINER,
    names: ["docker", "podman", "nerdctl"],
    why: "runs a program in a container",
    after: ["exec"],
    before: { values: "cHl", longValues: ["--context", "--host", "--config", "--log-level"] },
  },
  {
    ...CONTAINER,
    names: ["docker", "podman", "nerdctl"],
    why: "runs a program in a container",
    after: ["container", "exec"],
    before: { values: "cHl", longValues: ["--context", "--host", "--config", "--log-level"] },
  },
  {
    ...CONTAINER,
    names: ["docker", "podman", "nerdctl"],
    why: "runs a program in a container of a project",
    after: ["compose", "exec"],
    before: {
      values: "cHlfp",
      longValues: ["--context", "--host", "--file", "--project-name", "--profile", "--env-file"],
    },
  },
  {
    ...CONTAINER,
    names: ["docker-compose", "podman-compose"],
    why: "runs a program in a container of a project",
    after: ["exec"],
    before: { values: "cHfp", longValues: ["--file", "--project-name", "--profile", "--env-file"] },
  },
  {
    names: ["kubectl", "oc"],
    why: "runs a program in a container of a cluster",
    after: ["exec"],
    before: { values: "ns", longValues: ["--namespace", "--context", "--cluster", "--user", "--server"] },
    wrapping: "outer",
    dashed: true,
    flags: "itq",
    values: "cnf",
    longFlags: ["--stdin", "--tty", "--quiet"],
    longValues: [
      "--container",
      "--namespace",
      "--context",
      "--cluster",
      "--filename",
      "--pod-running-timeout",
    ],
    operands: 1,
    elsewhere: true,
  },
  {
    names: ["ip"],
    why: "runs a program in another network",
    after: ["netns", "exec"],
    wrapping: "outer",
    operands: 1,
  },
  {
    names: ["ip"],
    why: "runs a program in another network",
    after: ["vrf", "exec"],
    wrapping: "outer",
    operands: 1,
  },
  {
    names: ["direnv"],
    why: "runs a program with the settings of a folder",
    after: ["exec"],
    wrapping: "outer",
    operands: 1,
  },
  {
    names: ["poetry", "pdm", "hatch", "rye"],
    why: "runs a program of its environment",
    after: ["run"],
    wrapping: "outer",
  },
  { names: ["pipenv"], why: "runs a program of its environment", after: ["run"], wrapping: "outer" },
  {
    names: ["bundle", "bundler"],
    why: "runs a program of its bundle",
    after: ["exec"],
    wrapping: "outer",
    longFlags: ["--keep-file-descriptors"],
  },
  {
    names: ["rbenv", "pyenv", "nodenv", "asdf", "jenv", "goenv"],
    why: "runs a program of a chosen version",
    after: ["exec"],
    wrapping: "outer",
  },
  {
    names: ["conda", "mamba", "micromamba"],
    why: "runs a program of an environment",
    after: ["run"],
    wrapping: "outer",
    flags: "v",
    values: "np",
    longFlags: ["--no-capture-output", "--live-stream", "--verbose"],
    longValues: ["--name", "--prefix", "--cwd"],
  },
  {
    names: ["mise", "rtx"],
    why: "runs what follows -- with chosen versions",
    after: ["exec"],
    wrapping: "outer",
    dashed: true,
  },
  {
    names: ["doppler", "infisical", "op"],
    why: "runs a program with secrets",
    after: ["run"],
    wrapping: "outer",
    dashed: true,
  },
  {
    names: ["aws-vault"],
    why: "runs a program with an account's keys",
    after: ["exec"],
    wrapping: "outer",
    dashed: true,
    operands: 1,
  },
];

/** A program may have several. */
export const RUNNERS_BY_NAME: ReadonlyMap<string, readonly Runner[]> = new Map(
  [...new Set(RUNNERS.flatMap(({ names }) => names))].map((name): [string, readonly Runner[]] => [
    name,
    RUNNERS.filter(({ names }) => names.includes(name)),
  ]),
);
