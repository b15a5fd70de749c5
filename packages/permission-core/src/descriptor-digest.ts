import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { canonicalJson } from "./canonical-json.js";
import type { ToolDescriptor } from "./descriptor.js";
import { fnv1a64 } from "./fnv1a64.js";
import { utf8Bytes } from "./utf8.js";

/** 16 hex that move whenever the name, description or schema of a tool does. Throws `not_json`. */
export function descriptorDigest(descriptor: ToolDescriptor): string {
  return fnv1a64(descriptorText(descriptor));
}

/** `sha256:` and 64 hex of the same text: unlike the digest, nobody can craft another descriptor that has it. */
export function descriptorFingerprint(descriptor: ToolDescriptor): string {
  return `sha256:${bytesToHex(sha256(utf8Bytes(descriptorText(descriptor))))}`;
}

/** The shape that the ledger format digests: the description and the name appear once more beside the schema. */
function descriptorText({ name, description, inputSchema }: ToolDescriptor): string {
  return canonicalJson({ description, name, schema: { description, input_schema: inputSchema, tool: name } });
}
