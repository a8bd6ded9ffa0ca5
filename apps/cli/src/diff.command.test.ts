import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@oven/contract";
import type { PromotionFile } from "@oven/contract/workflow";
import { afterEach, beforeEach, expect, it } from "vitest";
import { diffCommand } from "./diff.command.ts";
import { changedRefundFile, refundFile } from "./testing/promotion-files.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "oven-diff-"));
});
afterEach(() => rm(dir, { recursive: true }));

async function diff(...args: string[]) {
  const lines: string[] = [];
  const code = await diffCommand.run(args, (text) => lines.push(text));
  return { code, text: lines.join("") };
}
async function file(name: string, content: unknown): Promise<string> {
  const path = join(dir, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
async function page(from: unknown, to: unknown): Promise<string> {
  const target = join(dir, "page.html");
  await diff(await file("from.json", from), await file("to.json", to), "--html", target);
  return readFile(target, "utf8");
}
/** With a state's id, a label, a prompt and so on as this text. */
function named(text: string): PromotionFile {
  const definition: JsonObject = {
    initial: text,
    states: {
      [text]: { label: text, invoke: { src: "agent.llm", input: { prompt: text, [text]: text }, onDone: "done" } },
      done: { type: "final" },
    },
  };
  const refund = refundFile({ definition });
  return { ...refund, workflows: refund.workflows.map((workflow) => ({ ...workflow, name: text, description: text })) };
}

it("says in words what differs: states, where they moved, settings, and lines of long texts", async () => {
  const [from, to] = [await file("from.json", refundFile()), await file("to.json", changedRefundFile())];
  const { code, text } = await diff(from, to);
  expect(code).toBe(1);
  expect(text).toContain("changed  agent-workflow refund\n");
  for (const line of [
    "  + state check",
    "  - state review",
    "  > state pay moved from the top to paying",
    "  ~ setting limits.maxSteps\n      - 20\n      + 30",
    "  ~ state ask: invoke.input.prompt\n        You are kind.\n      - Answer in one line.\n      + Answer in two lines.\n        Never promise money.",
    '  - state ask: invoke.onError\n      - "sorry"',
  ])
    expect(text).toContain(line);
  expect(text).toContain("1 differ, 0 are the same.");
});

it("ends with 0 for the same, whatever the order of keys, and with an error for what it cannot read", async () => {
  const refund = refundFile();
  const turned = Object.fromEntries(Object.entries(refund).toReversed());
  const [from, to] = [await file("from.json", refund), await file("to.json", turned)];
  expect(await diff(from, to)).toEqual({ code: 0, text: "No difference (1 compared).\n" });
  await expect(diff(from)).rejects.toThrow("usage: oven diff");
  await expect(diff(from, join(dir, "none.json"))).rejects.toThrow("ENOENT");
  await expect(diff(from, await file("other.json", { format: "other" }))).rejects.toThrow("other.json: format");
  await expect(diff(from, await file("half.json", "{"))).rejects.toThrow("half.json is not JSON");
});

it("takes what git difftool gives: an empty file is one that is not there", async () => {
  const to = await file("to.json", refundFile());
  const { code, text } = await diff("/dev/null", to);
  expect([code, text]).toEqual([1, expect.stringContaining("added    agent-workflow refund\n")]);
  expect(text).toContain("  + state ask\n");
  expect((await diff(to, "/dev/null")).text).toContain("removed  agent-workflow refund\n");
});

it("compares two folders, with agents, triggers and tables field by field", async () => {
  const agent = (model: string) => ({
    format: "oven-agent",
    version: 1,
    agent: { slug: "clerk", name: "Clerk", description: null, settings: { model }, workflow: null },
  });
  const table = { slug: "orders", name: "Orders", description: null, columns: [], unique: [] };
  const hook = { type: "webhook", name: "Hook", target: { kind: "agent-workflow", slug: "refund" }, config: {} };
  await file("a/agents/clerk.json", agent("fast"));
  await file("b/agents/clerk.json", agent("smart"));
  await file("b/tables/orders.json", { format: "oven-table", version: 1, table });
  await file("a/agent-workflows/refund.json", { ...refundFile(), triggers: [hook] });
  await file("b/agent-workflows/refund.json", refundFile());
  const { code, text } = await diff(join(dir, "a"), join(dir, "b"));
  expect(code).toBe(1);
  expect(text).toContain('changed  agent clerk\n  ~ field settings.model\n      - "fast"\n      + "smart"\n');
  expect(text).toContain("removed  trigger Hook (webhook) of agent-workflow refund\n");
  expect(text).toContain("added    table orders\n");
  expect(text).toContain("3 differ, 1 are the same.");
  const { text: json } = await diff(join(dir, "a"), join(dir, "b"), "--json");
  expect(JSON.parse(json)).toMatchObject({
    same: 1,
    differing: [
      {
        kind: "agent",
        name: "clerk",
        change: "changed",
        fields: [{ path: "settings.model", from: "fast", to: "smart" }],
      },
      { kind: "trigger", change: "removed" },
      { kind: "table", name: "orders", change: "added" },
    ],
  });
});

it("says that only the layout changed", async () => {
  const refund = refundFile();
  const placed = structuredClone(refund);
  for (const { definition } of placed.workflows) definition.meta = { positions: { ask: { x: 1, y: 2 } } };
  expect((await diff(await file("from.json", refund), await file("to.json", placed))).text).toContain("~ field layout");
});

it("escapes what acts on a terminal or turns words around", async () => {
  const { text } = await diff(
    await file("from.json", refundFile()),
    await file("to.json", named("a\u001B[31mb\u202Ec")),
  );
  expect(text).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  expect(text).toContain("⟨U+001B⟩[31mb⟨U+202E⟩c");
});

it("draws every mark as colour, stroke and sign, with a legend and the changes below", async () => {
  const html = await page(refundFile(), changedRefundFile());
  for (const title of ["added: check", "removed: review", "changed: ask", "moved: pay"])
    expect(html).toContain(`<title>${title}</title>`);
  const strokes = ["added", "removed", "changed", "moved"].map(
    (mark) => new RegExp(`stroke="var\\(--${mark}\\)" stroke-width="3"( stroke-dasharray="[^"]+")?/>`).exec(html)?.[1],
  );
  expect(new Set(strokes).size).toBe(4);
  expect(html).toContain('<ul class="legend"');
  expect(html).toContain("<del>- Answer in one line.</del><ins>+ Answer in two lines.</ins>");
  expect(html).toContain("state pay moved from the top to paying");
  expect(html).toContain("prefers-color-scheme:dark");
  expect(html).toContain("@media print");
});

it("loads nothing, runs nothing, and is the same page for the same files", async () => {
  const html = await page(refundFile(), changedRefundFile());
  expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\((?!#)|\son\w+=/i);
  expect(html.match(/(?:src|href)="(?!#)/g)).toBeNull();
  expect(html).toContain("default-src 'none'");
  expect(await page(refundFile(), changedRefundFile())).toBe(html);
});

it.each([
  "<script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "]]><svg/onload=alert(1)>",
  "\"'><img src=x onerror=alert(1)>",
  "</title></text></svg><iframe>",
  "<!--",
  "&lt;b&gt;\u202E\u0000",
])("shows %j as text, wherever it stands", async (text) => {
  const html = await page(refundFile(), named(text));
  const tags = new Set([...html.matchAll(/<\/?([a-z][\w-]*|!\w+|!--)/gi)].map(([, tag]) => tag));
  const plain = new Set(
    [...(await page(refundFile(), named("plain"))).matchAll(/<\/?([a-z][\w-]*|!\w+|!--)/gi)].map(([, tag]) => tag),
  );
  expect([...tags].filter((tag) => !plain.has(tag))).toEqual([]);
  expect(html).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  expect(html).not.toMatch(/<[a-z][^<>]*\son\w+=/i);
});

it("draws three hundred states in a few seconds", async () => {
  const chain = (count: number, prompt: string): JsonObject => ({
    initial: "s0",
    states: Object.fromEntries(
      Array.from({ length: count }, (_, at): [string, JsonObject] => [
        `s${at}`,
        at === count - 1
          ? { type: "final" }
          : { invoke: { src: "agent.llm", input: { prompt }, onDone: `s${at + 1}` } },
      ]),
    ),
  });
  const began = performance.now();
  const html = await page(refundFile({ definition: chain(300, "a") }), refundFile({ definition: chain(303, "b") }));
  expect(html.match(/<title>changed: /g)).toHaveLength(300);
  expect(html.match(/<title>added: s30/g)).toHaveLength(3);
  expect(performance.now() - began).toBeLessThan(30_000);
});
