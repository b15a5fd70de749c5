export { FileClaimStore, type FileClaimStoreOptions } from "./claims/file-claim-store.js";
export { FileGrantStore, type FileGrantStoreOptions } from "./file-grant-store.js";
