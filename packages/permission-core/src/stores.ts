// What stores of grants and claims are built from
export { type GrantEntry, parseGrantEntry } from "./grant-entry.js";
export { grantText } from "./grant-text.js";
export { type GrantTexts, keepsTexts } from "./grant-texts.js";
export { checkJson, type Extent, elementExtents, JsonSyntaxError } from "./json-scan.js";
export { requireClaim } from "./require-claim.js";
