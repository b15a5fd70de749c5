import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PageReport } from "../src/page.js";
import { CHROMIUM_ARGUMENTS, chromiumPath } from "./support/chromium.js";
import { servePage } from "./support/page-server.js";

let browser: Browser;
let server: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  server = await servePage();
  browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...CHROMIUM_ARGUMENTS],
    headless: true,
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a page and gives its report, with whatever the browser complained about. */
async function open(path: string): Promise<{ report: PageReport; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${server.url}${path}`);
  await page.waitForFunction("globalThis.report !== undefined");
  const report = (await page.evaluate("globalThis.report")) as PageReport;
  await page.close();
  return { report, complaints: complaints.filter((text) => !text.includes("favicon")) };
}

const RIGHT: Omit<PageReport, "digests"> = {
  wrongDigests: [],
  verdicts: ["ask_allowed", "ask_denied"],
  outputs: ["hello", "Permission denied by user for tool 'greet'"],
};

it("gates calls and digests as known in Chromium", async () => {
  const { report, complaints } = await open("/");
  expect(report).toMatchObject(RIGHT);
  expect(report.digests).toBeGreaterThan(40);
  expect(complaints).toEqual([]);
});

it("does the same where WebAssembly is forbidden, and tries it once", async () => {
  const { report, complaints } = await open("/strict");
  expect(report).toMatchObject(RIGHT);
  expect(complaints.filter((text) => /WebAssembly|wasm/i.test(text)).length).toBeLessThanOrEqual(1);
});
