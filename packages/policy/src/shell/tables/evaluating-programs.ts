import type { OptionShape } from "../options.js";

/** A program or builtin that runs text it is given, so that its words do not show what happens. */
export interface EvaluatingProgram extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /** whatever its words are */
  readonly always?: boolean;
  /** letters of short options with which it runs text or programs */
  readonly letters?: string;
  /** long options with which it does, dashes included; any abbreviation counts */
  readonly long?: readonly string[];
  /** without an operand, or with `-` as the first, it runs what it reads from its input */
  readonly input?: boolean;
  /** an option that may come before none of those: what follows is another program's (`python -m`) */
  readonly until?: string;
  /** a word that may be anything could be such an option */
  readonly unsure?: boolean;
  /** an operand that begins with `+` is a command of its own */
  readonly plus?: boolean;
  /** which of its words a shell reads: all joined by spaces, the first, what follows `=` in each, or the one after -c */
  readonly payload?: "joined" | "first" | "assigned" | "script";
  /** what it starts by name is none of our concern here, and it is not known to run none of its operands */
  readonly runsOperands?: boolean;
}

export const EVALUATING_PROGRAMS: readonly EvaluatingProgram[] = [
  { names: ["eval"], why: "the shell reads its words again", always: true, payload: "joined" },
  { names: [".", "source"], why: "the shell runs a file as if it were typed", always: true },
  { names: ["trap"], why: "the shell runs the text later", always: true, payload: "first" },
  { names: ["alias"], why: "gives later words another meaning", always: true, payload: "assigned" },
  { names: ["hash", "enable"], why: "gives a name another program, or loads code", always: true },
  { names: ["mapfile", "readarray"], why: "-C runs text, and names may hold subscripts", always: true },
  { names: ["let"], why: "arithmetic over text", always: true },
  {
    names: ["declare", "typeset", "local", "nameref"],
    why: "attributes make later text arithmetic",
    always: true,
  },
  { names: ["getopts"], why: "assigns to a name that may be a subscript", always: true },
  {
    names: ["fc", "history", "bind", "shopt"],
    why: "changes how the shell reads, or runs again",
    always: true,
  },
  { names: ["compgen", "complete", "compopt"], why: "expands and runs text", always: true },
  { names: ["jobs"], why: "-x runs a command", letters: "x", unsure: true },
  { names: ["wait"], why: "-p assigns to a name that may be a subscript", letters: "p", unsure: true },
  {
    names: ["noglob", "nocorrect", "repeat", "zmodload", "autoload", "emulate", "zargs"],
    why: "runs its words in some shells",
    always: true,
  },
  {
    names: ["python"],
    why: "-c is code, and so is its input",
    letters: "ci",
    values: "cmWX",
    leading: true,
    input: true,
    until: "-m",
  },
  {
    names: ["node", "nodejs"],
    why: "-e, -p and -r run code, and so does its input",
    letters: "epri",
    long: [
      "--eval",
      "--print",
      "--require",
      "--import",
      "--loader",
      "--experimental-loader",
      "--interactive",
    ],
    values: "epr",
    leading: true,
    input: true,
  },
  {
    names: ["perl"],
    why: "-e and -M are code, and so is its input",
    letters: "eEMmdx",
    leading: true,
    input: true,
  },
  {
    names: ["ruby", "jruby"],
    why: "-e and -r run code, and so does its input",
    letters: "erx",
    leading: true,
    input: true,
  },
  {
    names: ["php"],
    why: "-r and its kin are code, -d may load some",
    letters: "rBREFda",
    long: ["--run", "--process-begin", "--process-code", "--process-end", "--define", "--interactive"],
    leading: true,
    input: true,
  },
  {
    names: [
      "lua",
      "luajit",
      "tclsh",
      "wish",
      "guile",
      "gawk-repl",
      "Rscript",
      "osascript",
      "julia",
      "elixir",
      "groovy",
      "scala",
      "bun",
      "swift",
    ],
    why: "an interpreter: -e is code, and so is its input",
    letters: "eElipL",
    long: ["--eval", "--print", "--expression", "--preload"],
    leading: true,
    input: true,
  },
  {
    names: [
      "deno",
      "R",
      "jshell",
      "irb",
      "pry",
      "ipython",
      "ghci",
      "erl",
      "sbcl",
      "clisp",
      "octave",
      "gp",
      "bc-repl",
    ],
    why: "an interpreter whose words and input are code",
    always: true,
  },
  {
    names: ["sqlite3", "psql", "mysql", "mariadb", "mongosh", "mongo", "redis-cli"],
    why: "its language has a way to run a program",
    always: true,
  },
  {
    names: [
      "ed",
      "red",
      "ex",
      "vi",
      "vim",
      "nvim",
      "view",
      "vimdiff",
      "emacs",
      "emacsclient",
      "nano",
      "pico",
      "joe",
    ],
    why: "an editor runs commands that it is given",
    always: true,
  },
  {
    names: [
      "ksh",
      "mksh",
      "ash",
      "fish",
      "csh",
      "tcsh",
      "rbash",
      "rc",
      "elvish",
      "nu",
      "xonsh",
      "pwsh",
      "powershell",
      "cmd",
    ],
    why: "a shell whose language is not read here",
    always: true,
    payload: "script",
  },
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
  EVALUATING_PROGRAMS.flatMap((program) =>
    program.names.map((name): [string, EvaluatingProgram] => [name, program]),
  ),
);
