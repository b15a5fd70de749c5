import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));

/** What every browser and edge runtime has beside the language. */
const webGlobals = {
  TextEncoder,
  TextDecoder,
  URL,
  AbortController,
  AbortSignal,
  crypto: globalThis.crypto,
  setTimeout,
  clearTimeout,
  console,
};

/** Run inside the context, on values of its own realm. */
const probe = `({
  digest: core.argsDigest({ path: "/tmp/x", limit: 10 }),
  wide: core.argsDigest({ "\\ue000": 1, "\\ud83d\\ude00": 2, z: 3, "\\uffff": 4 }),
  controls: core.argsDigest("\\u0000\\u0001\\u001f\\u007f"),
  long: core.argsDigest(["\\u20ac\\n".repeat(20000)]) === core.fnv1a64(core.canonicalJson(["\\u20ac\\n".repeat(20000)])),
  text: core.argsDigestFromText("1.50"),
  fnv: core.fnv1a64("\\ufffd"),
  lone: core.fnv1a64("\\ud800"),
  utf8: core.fnv1a64("\\u00e9\\u20ac\\ud83d\\ude00"),
  descriptor: core.descriptorDigest({ name: "deploy", description: "Deploy the service",
    inputSchema: { type: "object", properties: { target: { type: "string" } } } }),
  fingerprint: core.descriptorFingerprint({ name: "deploy", description: "Deploy the service",
    inputSchema: { type: "object", properties: { target: { type: "string" } } } }),
})`;

const expected = {
  digest: "f1ed61cd8ca5e26b",
  wide: "270b632cbe502eed",
  controls: "7c9f94bf17014903",
  long: true,
  text: "457d3818182e17b9",
  fnv: "6f6d661b9658624a",
  lone: "6f6d661b9658624a",
  utf8: "0a289ca40199fa06",
  descriptor: "40dea5c7b66ea3af",
  fingerprint: "sha256:60399d3dd7d6d6187b02aa280eb23cf673d8418495b3631638a08706de320978",
};

describe.each(["neutral", "browser"] as const)("core bundled for platform %s", (platform) => {
  let code = "";

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      platform,
      format: "iife",
      globalName: "core",
      target: "es2022",
      write: false,
    });
    code = outputFiles[0]?.text ?? "";
  });

  it("imports nothing of Node", () => {
    expect(code).toContain("argsDigest");
    expect(code).not.toMatch(/["']node:|\brequire\(|\bfrom\s*["']/);
    expect(code).not.toMatch(/\b(?:process|Buffer)\./);
  });

  it.each([
    ["Web globals", webGlobals, true],
    ["Web globals, no code generation", webGlobals, false],
    ["the bare language", {}, true],
    ["the bare language, no code generation", {}, false],
  ])("gives the known digests with %s", (_title, globals, allowed) => {
    const context = createContext({ ...globals }, { codeGeneration: { wasm: allowed, strings: allowed } });
    expect(runInContext(canCompile, context)).toBe(allowed);
    runInContext(code, context);
    expect({ ...runInContext(probe, context) }).toEqual(expected);
  });
});

/** Whether this context compiles WebAssembly: the smallest module there is. */
const canCompile = `(() => {
  try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return true; } catch { return false; }
})()`;
