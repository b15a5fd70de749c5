import type { OptionShape } from "../options.js";

/** A program that starts another, named in its own words. */
export interface Wrapper extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /** `opaque`: what it starts is shown to deny and ask rules, but cannot be trusted to be all */
  readonly wrapping: "transparent" | "outer" | "opaque";
  /** letters of short options without a value; with any other, what it starts cannot be told */
  readonly flags?: string;
  /** long options without a value, or whose value is always joined by `=` */
  readonly longFlags?: readonly string[];
  /** options with which it starts nothing */
  readonly stops?: readonly string[];
  /** how many operands come before the program */
  readonly operands?: number;
  /** whether `NAME=value` may come before the program */
  readonly assigns?: boolean;
  /** a shell reads the rest, joined by spaces */
  readonly joined?: boolean;
  /** options whose value a shell reads */
  readonly scripts?: readonly string[];
  /** the program gets further operands that the text does not show */
  readonly appends?: boolean;
}

export const WRAPPERS: readonly Wrapper[] = [
  {
    names: ["timeout", "gtimeout"],
    why: "ends its program after a time",
    wrapping: "transparent",
    flags: "v",
    values: "ks",
    longFlags: ["--foreground", "--preserve-status", "--verbose"],
    longValues: ["--kill-after", "--signal"],
    operands: 1,
  },
  { names: ["time"], why: "measures its program", wrapping: "transparent", flags: "p" },
  {
    names: ["nice"],
    why: "changes its program's priority",
    wrapping: "transparent",
    flags: "0123456789",
    values: "n",
    longValues: ["--adjustment"],
  },
  {
    names: ["ionice"],
    why: "changes its program's disk priority",
    wrapping: "transparent",
    flags: "t",
    values: "cn",
    longFlags: ["--ignore"],
    longValues: ["--class", "--classdata"],
    stops: ["-p", "-P", "-u"],
  },
  {
    names: ["stdbuf"],
    why: "changes its program's buffers",
    wrapping: "transparent",
    values: "ioe",
    longValues: ["--input", "--output", "--error"],
  },
  { names: ["nohup"], why: "keeps its program from a hang-up", wrapping: "transparent" },
  {
    names: ["command"],
    why: "runs a program past functions; -v and -V only tell of it",
    wrapping: "transparent",
    flags: "p",
    stops: ["-v", "-V"],
  },
  { names: ["builtin"], why: "runs a builtin past functions, or a program of that name", wrapping: "outer" },
  {
    names: ["sudo"],
    why: "runs its program as somebody else",
    wrapping: "outer",
    flags: "AbBEHnPSis",
    values: "CDghprRTtuU",
    longFlags: ["--preserve-env", "--non-interactive", "--set-home", "--login", "--shell", "--stdin"],
    longValues: ["--user", "--group", "--chdir", "--prompt", "--host", "--close-from"],
    stops: ["-l", "-v", "-k", "-K", "-V", "--list", "--validate", "--version"],
    assigns: true,
  },
  {
    names: ["doas"],
    why: "runs its program as somebody else",
    wrapping: "outer",
    flags: "ns",
    values: "au",
    stops: ["-L"],
  },
  {
    names: ["setsid"],
    why: "leaves its program running in a session of its own",
    wrapping: "outer",
    flags: "cfw",
    longFlags: ["--ctty", "--fork", "--wait"],
  },
  {
    names: ["xargs", "gxargs"],
    why: "adds what it reads to its program's words",
    wrapping: "outer",
    flags: "0oprtx",
    values: "adEILnPs",
    attached: "ile",
    longFlags: [
      "--null",
      "--no-run-if-empty",
      "--verbose",
      "--exit",
      "--interactive",
      "--replace",
      "--max-lines",
      "--eof",
    ],
    longValues: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars"],
    appends: true,
  },
  {
    names: ["watch"],
    why: "has a shell run its words again and again",
    wrapping: "outer",
    flags: "bcdegprtwx",
    values: "nqs",
    longFlags: [
      "--differences",
      "--no-title",
      "--color",
      "--errexit",
      "--chgexit",
      "--beep",
      "--precise",
      "--exec",
    ],
    longValues: ["--interval"],
    joined: true,
  },
  {
    names: ["ssh"],
    why: "has a shell of another machine run its words",
    wrapping: "outer",
    flags: "46AaCfGgKkMNnqsTtvXxYy",
    values: "BbcDEeiJLlmOpQRSWwoFI",
    operands: 1,
    joined: true,
  },
  {
    names: ["exec"],
    why: "its program takes the shell's place",
    wrapping: "opaque",
    flags: "cl",
    values: "a",
  },
  {
    names: ["flock"],
    why: "runs a program, or a script with -c, while it holds a lock",
    wrapping: "opaque",
    flags: "censuxoFv",
    values: "wE",
    operands: 1,
    scripts: ["-c", "--command"],
  },
  {
    names: ["chroot"],
    why: "another root: the same name is another program",
    wrapping: "opaque",
    operands: 1,
  },
  {
    names: ["unshare", "nsenter", "bwrap", "firejail", "proot"],
    why: "another view of files",
    wrapping: "opaque",
  },
  { names: ["busybox", "toybox"], why: "its first operand is the program", wrapping: "opaque" },
  {
    names: ["su", "runuser", "sg"],
    why: "a login shell of somebody else reads the script",
    wrapping: "opaque",
    values: "cgGsw",
    longValues: ["--command", "--shell", "--group"],
    scripts: ["-c", "--command", "--session-command"],
  },
  {
    names: ["script"],
    why: "a shell reads the script of -c",
    wrapping: "opaque",
    values: "cEIBOTm",
    longValues: ["--command"],
    scripts: ["-c", "--command"],
  },
  {
    names: ["parallel", "sem", "rush", "hyperfine", "entr", "watchexec", "nodemon"],
    why: "makes commands of its words and input, which a shell reads",
    wrapping: "opaque",
    values: "jnNPICw",
    joined: true,
  },
  {
    names: ["at", "batch", "tmux", "screen", "dtach", "expect", "unbuffer", "rlwrap", "script-fu"],
    why: "has a shell of its own read commands",
    wrapping: "opaque",
    joined: true,
  },
  {
    names: ["taskset", "chrt", "setarch", "gosu", "su-exec", "faketime", "cpulimit", "numactl", "prlimit"],
    why: "starts a program after a first operand of its own",
    wrapping: "opaque",
    operands: 1,
  },
  {
    names: ["strace", "ltrace", "gdb", "lldb", "valgrind", "perf", "setpriv", "capsh", "pkexec", "run0"],
    why: "starts a program under options too many to know",
    wrapping: "opaque",
    values: "eopuD",
  },
  {
    names: ["systemd-run", "start-stop-daemon", "daemonize", "dbus-run-session", "dbus-launch", "xvfb-run"],
    why: "has a program started elsewhere",
    wrapping: "opaque",
  },
  {
    names: [
      "fakeroot",
      "eatmydata",
      "torsocks",
      "proxychains",
      "proxychains4",
      "caffeinate",
      "linux32",
      "linux64",
    ],
    why: "starts a program with other code loaded into it, or another view of the machine",
    wrapping: "opaque",
  },
  {
    names: [
      "tini",
      "dumb-init",
      "chpst",
      "setuidgid",
      "envdir",
      "softlimit",
      "s6-setuidgid",
      "catchsegv",
      "choom",
    ],
    why: "starts a program as an init or supervisor does",
    wrapping: "opaque",
  },
];

export const WRAPPER_BY_NAME: ReadonlyMap<string, Wrapper> = new Map(
  WRAPPERS.flatMap((wrapper) => wrapper.names.map((name): [string, Wrapper] => [name, wrapper])),
);
