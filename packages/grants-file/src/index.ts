export { FileGrantStore, type FileGrantStoreOptions } from "./file-grant-store.js";
