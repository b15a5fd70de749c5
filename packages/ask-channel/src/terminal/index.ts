export { type TerminalAskResolverOptions, terminalAskResolver } from "./terminal-ask-resolver.js";
export type { TerminalInput, TerminalOutput } from "./terminal-streams.js";
