export type { ReadFileText } from "./files/read-file-text.js";
export { type LoadPermissionFilesOptions, loadPermissionFiles } from "./load-permission-files.js";
export { type NodeWorkspaceOptions, nodeWorkspace } from "./node-workspace.js";
export type { PermissionFilesOptions } from "./permission-files-options.js";
export { type PolicyCheckResult, policyCheck } from "./policy-check.js";
export { ProjectRuleResolver, type ProjectRuleResolverOptions } from "./project-rule-resolver.js";
