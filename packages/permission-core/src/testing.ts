export { ManualClock } from "./testing/manual-clock.js";
export {
  type MemoryFiles,
  type MemoryWorkspaceOptions,
  memoryWorkspace,
} from "./testing/memory-workspace.js";
export { type ScriptedAnswer, type ScriptedResolver, scriptedResolver } from "./testing/scripted-resolver.js";
export { sequentialIds } from "./testing/sequential-ids.js";
