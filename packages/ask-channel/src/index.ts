export { ApprovalChannel, type ApprovalChannelOptions, type ApprovalPair } from "./approval-channel.js";
export type { ChannelApprover } from "./channel-approver.js";
export type { ChannelLoad } from "./channel-hub.js";
export type { ChannelResolver } from "./channel-resolver.js";
export { SyncAskResolver } from "./sync-ask-resolver.js";
