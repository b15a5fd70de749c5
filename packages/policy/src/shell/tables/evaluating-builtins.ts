import type { EvaluatingProgram } from "./evaluating-program.js";

/** What a shell itself runs of the text it is given. */
export const EVALUATING_BUILTINS: readonly EvaluatingProgram[] = [
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
];
