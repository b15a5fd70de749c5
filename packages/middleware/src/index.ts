// The front door

// The gate
export { allowReadOnlyAskRest, type ContextCheck } from "./checks.js";
export { createGate, type Gate, type GateOptions, type Judges, type ToolChecks } from "./create-gate.js";
// Tools
export { defineTool } from "./define-tool.js";
export type { ToolDispatchResult } from "./dispatch-result.js";
export type { DispatchEntry } from "./engine/dispatch-all.js";
// The engine
export type { EngineOptions } from "./engine/engine-options.js";
export type { AskAnsweredEvent, EngineObserver, ToolPostEvent, ToolPreEvent } from "./engine/observer.js";
export { ToolEngine } from "./engine/tool-engine.js";
// Errors
export { RunCancelledError, RunStoppedError, ToolPermissionError } from "./errors.js";
export type { CheckFunction, PolicyOptions, ToolCheck } from "./gate/gate-settings.js";
export { type EvaluateOverrides, PermissionMiddleware } from "./gate/permission-middleware.js";
export { circuitBreaker } from "./guards/circuit-breaker.js";
export type { DispatchGuard, GuardedCall } from "./guards/guard.js";
export { repeatGuard } from "./guards/repeat-guard.js";
export { confirmTools, toolAllowlist, toolBlocklist } from "./hooks/builtin-hooks.js";
// Hooks and guards
export { HookAction, type PostToolUseHook, type PreToolUseEvent, type PreToolUseHook } from "./hooks/hook.js";
export { HookExecutor } from "./hooks/hook-executor.js";
export { MemoizeMiddleware, type MemoizeOptions } from "./layers/memoize-middleware.js";
export { TimeoutMiddleware } from "./layers/timeout-middleware.js";
// The pipeline and its layers
export {
  type DryRunCall,
  type PipelineOptions,
  ToolPipeline,
  type ToolPipelineBuilder,
} from "./pipeline/tool-pipeline.js";
export { ToolRegistry } from "./pipeline/tool-registry.js";
export type { Tool, ToolCall, ToolContext, ToolErrorKind } from "./tool.js";
export type { NextLayer, ToolDispatchContext, ToolMiddleware } from "./tool-middleware.js";
