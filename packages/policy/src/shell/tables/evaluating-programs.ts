import { EVALUATING_BUILTINS } from "./evaluating-builtins.js";
import type { EvaluatingProgram } from "./evaluating-program.js";
import { INTERPRETERS } from "./interpreters.js";

/** Tools with an option that runs something. */
export const EVALUATING_PROGRAMS: readonly EvaluatingProgram[] = [
  {
    names: ["tar", "gtar", "bsdtar"],
    why: "several options start a program",
    letters: "IF",
    long: [
      "--checkpoint-action",
      "--to-command",
      "--use-compress-program",
      "--rsh-command",
      "--rmt-command",
      "--info-script",
      "--new-volume-script",
    ],
    values: "fCbgHKLNTVX",
    bundled: true,
    unsure: true,
  },
  { names: ["zip"], why: "-TT names a program", letters: "T", long: ["--unzip-command"], unsure: true },
  {
    names: ["rsync"],
    why: "-e names a program, and so does --rsync-path",
    letters: "e",
    long: ["--rsh", "--rsync-path"],
    unsure: true,
  },
  {
    names: ["scp", "sftp"],
    why: "options name programs, or a file that does",
    letters: "oSFD",
    values: "cFiJloPSDBRsX",
    unsure: true,
  },
  {
    names: ["sort", "gsort"],
    why: "--compress-program starts a program",
    long: ["--compress-program"],
    values: "kStTo",
    unsure: true,
  },
  { names: ["split", "gsplit"], why: "--filter runs text", long: ["--filter"], unsure: true },
  {
    names: ["rg"],
    why: "--pre and --hostname-bin start a program",
    long: ["--pre", "--hostname-bin"],
    values: "ABCefgjMmrtTE",
    unsure: true,
  },
  { names: ["diff", "gdiff"], why: "-l starts pr", letters: "l", long: ["--paginate"], values: "UCWxXIFSLD" },
  {
    names: ["man"],
    why: "-P and -H start a program",
    letters: "PH",
    long: ["--pager", "--html", "--preprocessor"],
    values: "CLMPSep",
  },
  {
    names: ["less", "more", "most"],
    why: "an operand with + is a command, and so is a key that -k binds",
    letters: "k",
    long: ["--lesskey-file", "--lesskey-src", "--lesskey-content", "--lesskey-context"],
    plus: true,
    unsure: true,
  },
  {
    names: ["wget"],
    why: "-e is configuration, which may name a program",
    letters: "e",
    long: ["--execute", "--use-askpass", "--config"],
    unsure: true,
  },
  {
    names: ["nc", "ncat", "netcat"],
    why: "-e and -c start a program",
    letters: "ec",
    long: ["--exec", "--sh-exec", "--lua-exec"],
    unsure: true,
  },
  { names: ["socat"], why: "an address may be a program", always: true },
  { names: ["crontab"], why: "its text runs later", always: true },
  {
    names: ["gcc", "g++", "cc", "c++", "clang", "clang++"],
    why: "options load plug-ins and start other tools",
    long: ["-B", "-wrapper", "-fplugin", "-specs", "--specs", "-fuse-ld", "-load"],
    singleDash: true,
    unsure: true,
  },
  {
    names: ["javac", "java"],
    why: "processors and agents are code",
    long: [
      "-processor",
      "-processorpath",
      "--processor-path",
      "-javaagent",
      "-agentpath",
      "-agentlib",
      "-Xplugin",
      "-XX",
    ],
    singleDash: true,
  },
  {
    names: ["npm", "npx", "pnpm", "pnpx", "yarn", "bunx"],
    why: "-c is a script",
    letters: "c",
    long: ["--call", "--shell-mode", "--script-shell", "--node-options"],
    runsOperands: true,
  },
  { names: ["cargo"], why: "--config may name a program", long: ["--config"], runsOperands: true },
  {
    names: ["openssl"],
    why: "engines and providers are code",
    long: ["-engine", "-provider-path"],
    singleDash: true,
  },
  {
    names: ["gpg", "gpg2"],
    why: "options name programs",
    long: ["--agent-program", "--dirmngr-program", "--photo-viewer", "--exec-path"],
  },
  {
    names: ["dpkg", "rpm", "apt", "apt-get"],
    why: "options name programs and hooks",
    letters: "oD",
    long: ["--option", "--pre-invoke", "--post-invoke", "--eval", "--define", "--pipe"],
    runsOperands: true,
  },
];

export const EVALUATING_BY_NAME: ReadonlyMap<string, EvaluatingProgram> = new Map(
  [...EVALUATING_BUILTINS, ...INTERPRETERS, ...EVALUATING_PROGRAMS].flatMap((program) =>
    program.names.map((name): [string, EvaluatingProgram] => [name, program]),
  ),
);
