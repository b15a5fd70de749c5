import { OPAQUE_WRAPPERS } from "./opaque-wrappers.js";
import type { Wrapper } from "./wrapper.js";

/** Programs whose words show what they start. */
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
];

/** By name; options end where the started program's words begin. */
export const WRAPPER_BY_NAME: ReadonlyMap<string, Wrapper> = new Map(
  [...WRAPPERS, ...OPAQUE_WRAPPERS].flatMap((wrapper) => {
    const leading = { ...wrapper, leading: true };
    return wrapper.names.map((name): [string, Wrapper] => [name, leading]);
  }),
);
