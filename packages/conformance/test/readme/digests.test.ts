import { describeVectors } from "@x/conformance";
import { argsDigestFromText } from "@x/permission-core";
import { expect, it } from "vitest";

describeVectors("digest", {
  it,
  run(vector) {
    if ("error" in vector) expect(() => argsDigestFromText(vector.json)).toThrow();
    else expect(argsDigestFromText(vector.json)).toBe(vector.digest);
  },
});
