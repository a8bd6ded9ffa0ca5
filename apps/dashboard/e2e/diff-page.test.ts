import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

/* The page of `oven diff --html`, opened from the disk as a reviewer opens an artifact of a pull request. */

const HOSTILE = `"'><img src=x onerror="document.title='run'"></style></svg><script>document.title='run'</script>`;

const OVEN = resolve(import.meta.dirname, "../../cli/src/oven.ts");
const final = { type: "final" };
const ask = (line: string, onDone: string) => {
  const input = { model: "fast", prompt: `You are kind.\nAnswer in ${line}.\nNever promise money.` };
  return { invoke: { src: "agent.llm", input, onDone } };
};
const pay = (onDone: string) => ({
  invoke: { src: "core.http", input: { url: "https://bank.example.com" }, onDone },
});
const BEFORE = {
  initial: "ask",
  limits: { maxSteps: 20 },
  states: {
    ask: ask("one line", "review"),
    review: { invoke: { src: "agent.humanReview", input: { title: "Refund?" }, onDone: "pay" } },
    pay: pay("done"),
    done: final,
  },
};
const CHECK = { invoke: { src: "core.sql", input: { query: "select 1" }, onDone: "pay" } };
const AFTER = {
  initial: "ask",
  limits: { maxSteps: 30 },
  states: {
    ask: ask("two lines", "paying"),
    paying: { initial: "check", states: { check: CHECK, pay: pay("paid"), paid: final }, onDone: "done" },
    done: final,
  },
};
const fileOf = (definition: object, agents: object[] = []) => ({
  ...{ format: "oven-promotion", version: 1, root: { kind: "agent-workflow", slug: "refund" } },
  workflows: [{ kind: "agent-workflow", slug: "refund", name: "Refund", description: null, tags: [], definition }],
  ...{ agents, triggers: [] },
});

let chromium: TestBrowser;
let dir: string;
beforeAll(async () => {
  chromium = await openBrowser();
  dir = await mkdtemp(join(tmpdir(), "oven-diff-page-"));
});
afterAll(async () => {
  await chromium.close();
  await rm(dir, { recursive: true });
});

async function pageOf(from: object, to: object): Promise<string> {
  const [before, after, page] = ["from.json", "to.json", "page.html"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]; // cast: three names
  await writeFile(before, JSON.stringify(from));
  await writeFile(after, JSON.stringify(to));
  const args = [OVEN, "diff", before, after, "--html", page, "--title", "Refunds: main → two-lines"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, ""]);
  return pathToFileURL(page).href;
}
const clerk = (prompt: string) => ({
  slug: "clerk",
  name: "Clerk",
  description: null,
  settings: { model: "fast", systemPrompt: prompt },
  workflow: null,
});

it.each([
  ["light", false, 1280],
  ["dark", true, 1280],
  ["narrow", false, 390],
])("can be read in every look: %s", async (name, dark, width) => {
  const url = await pageOf(
    fileOf(BEFORE, [clerk("You know orders.")]),
    fileOf(AFTER, [clerk("You know orders and refunds.")]),
  );
  const { page, complaints } = await chromium.newPage({ dark, width, height: 1100 });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  await page.getByRole("heading", { name: "agent-workflow refund" }).waitFor();
  const graph = page.getByRole("img", { name: /Graph of refund/ });
  expect(await graph.locator("title").allTextContents()).toEqual(
    expect.arrayContaining(["added: check", "removed: review", "changed: ask", "moved: pay"]),
  );
  const ink = await page.evaluate(
    "getComputedStyle([...document.querySelectorAll('.graph text')].find(({ textContent }) => textContent === 'check')).fill",
  );
  expect(ink).toBe(dark ? "rgb(231, 233, 238)" : "rgb(23, 27, 38)");
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([url]);
  await shoot(page, `diff-page-${name}`);
  // The page itself runs no script; the scan needs one, so it is done where the policy is not.
  await page.setContent((await page.content()).replace(/<meta http-equiv[^>]*>/, ""));
  expect(await seriousIssues(page)).toEqual([]);
});

it("runs nothing of what stands in the files, and stays readable when it is printed", async () => {
  const definition = {
    initial: HOSTILE,
    states: {
      [HOSTILE]: { label: HOSTILE, invoke: { src: HOSTILE, input: { prompt: HOSTILE }, onDone: "done" } },
      done: { type: "final" },
    },
  };
  const url = await pageOf(fileOf(BEFORE), fileOf(definition));
  const { page, complaints } = await chromium.newPage({ dark: true });
  await page.goto(url);
  expect(await page.title()).toBe("Refunds: main → two-lines");
  expect(await page.locator("img, script, iframe").count()).toBe(0);
  expect(await page.getByText(HOSTILE, { exact: false }).count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  expect(
    await page.evaluate("document.querySelector('.graph').scrollWidth - document.querySelector('.graph').clientWidth"),
  ).toBe(0);
  await shoot(page, "diff-page-print");
});
