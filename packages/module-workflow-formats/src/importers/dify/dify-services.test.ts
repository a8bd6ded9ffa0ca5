import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { statesOf } from "../../importing/testing/read-imports.ts";
import { app, at, chain, end, start } from "./testing/dify-app.ts";
import { runLed } from "./testing/run-led.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const row = (...nodes: JsonObject[]): JsonObject => app(nodes, chain(...nodes.map(({ id }) => String(id))));
const given = start({ variable: "x", type: "text-input", required: true });
const reply = (body: Json): void => {
  story.shop.replies.push({ type: "application/json", body: JSON.stringify(body) });
};
const lastAsked = () => {
  const asked = story.shop.asked.at(-1);
  if (asked === undefined) throw new Error("Nothing was asked");
  return asked;
};
const outcomeOf = async (node: JsonObject) => {
  const { report } = await readForeign(JSON.stringify(row(given, node, end("end", ["t", String(node.id), "text"]))));
  const { outcome, notes } = report.elements.find(({ name }) => name === node.id) ?? {};
  return [outcome, notes?.[0]];
};

describe("Google's translation in Dify", () => {
  const translate = (configurations: JsonObject): JsonObject =>
    at("translate", {
      ...{ type: "tool", provider_id: "google_translate", provider_name: "google_translate", tool_name: "translate" },
      tool_parameters: { content: { type: "mixed", value: "Say: {{#start.x#}}" } },
      tool_configurations: configurations,
    });
  const run = (configurations: JsonObject) =>
    runLed(story, row(given, translate(configurations), end("end", ["t", "translate", "text"])), { x: "Brot & Käse" });

  it("joins the parts of what the service answers", async () => {
    reply([
      [
        ["Say: bread ", "Sag: Brot"],
        [null, ""],
        ["& cheese", "& Käse"],
      ],
      null,
      "de",
    ]);
    expect((await run({ dest: "en" })).output).toEqual({ t: "Say: bread & cheese" });
    const { url, headers } = lastAsked();
    const query = new URL(url, "http://localhost").searchParams;
    expect(url).toMatch(/^\/translate\.googleapis\.com\/translate_a\/single\?/);
    expect(Object.fromEntries(query)).toEqual({ client: "gtx", sl: "auto", tl: "en", dt: "t", q: "Say: Brot & Käse" });
    expect(headers["user-agent"]).toContain("Chrome/91");
  });

  it("takes a language of its own, and hands on in words what went wrong", async () => {
    story.shop.statuses = [429];
    expect((await run({ dest: "custom", custom_dest: "nds" })).output).toEqual({
      t: "Network error: 429 Client Error",
    });
    expect(lastAsked().url).toContain("tl=nds");
    reply({ sorry: true });
    expect((await run({ dest: "en" })).output).toEqual({ t: expect.stringContaining("Error parsing translation") });
  });

  it.each([
    [{}, "names no language"],
    [{ dest: { type: "variable", value: ["start", "x"] } }, "dest is computed"],
  ])("set to %j stays a placeholder", async (configurations, why) => {
    expect(await outcomeOf(translate(configurations))).toEqual(["placeholder", expect.stringContaining(why)]);
  });
});

describe("Tavily's search in Dify", () => {
  const search = (configurations: JsonObject): JsonObject =>
    at("search", {
      ...{ type: "tool", provider_id: "langgenius/tavily/tavily", tool_name: "tavily_search" },
      tool_parameters: { query: { type: "mixed", value: "{{#start.x#}}" } },
      tool_configurations: configurations,
    });
  const run = async (configurations: JsonObject) => {
    const done = await runLed(
      story,
      row(given, search(configurations), end("end", ["t", "search", "text"], ["j", "search", "json"])),
      { x: "rye" },
    );
    return { ...done, asked: JSON.parse(lastAsked().body) as Json }; // cast: JSON.parse gives JSON
  };
  const found: JsonObject = {
    answer: "Bread.",
    results: [
      { title: "Rye", url: "https://a.example", content: "A cereal", score: 0.5, raw_content: "All" },
      { url: "https://b.example", content: "", published_date: "2026-01-01" },
    ],
  };

  it("asks with its settings, and writes the results as the plugin does", async () => {
    reply(found);
    const { output, asked } = await run({
      ...{ search_depth: "advanced", topic: "news", include_answer: 1, include_raw_content: "false", max_results: 2 },
      ...{ include_domains: "a.example, b.example", exclude_domains: null, include_images: 0, country: "" },
    });
    expect(asked).toEqual({
      ...{ query: "rye", search_depth: "advanced", topic: "news", include_answer: "basic", max_results: 2 },
      ...{ include_domains: ["a.example", "b.example"], chunks_per_source: 3 },
    });
    const { url, headers } = lastAsked();
    expect([url, headers.authorization]).toEqual(["/api.tavily.com/search", "Bearer secret of tavily"]);
    const text = [
      ...["**Answer:** Bread.\n", "# Result 1: [Rye](https://a.example)\n", "**URL:** https://a.example\n"],
      ...["**Relevance Score:** 0.5\n", "**Content:**\nA cereal\n", "---\n"],
      ...["# Result 2: [No Title](https://b.example)\n", "**Published Date:** 2026-01-01\n"],
      ...["**URL:** https://b.example\n", "---\n"],
    ].join("\n");
    expect(output).toEqual({ t: text, j: [found] });
  });

  it("shows raw contents where it is set to", async () => {
    reply(found);
    const { output, asked } = await run({ include_raw_content: "markdown", chunks_per_source: 2 });
    expect(asked).toEqual({
      ...{ query: "rye", search_depth: "basic", topic: "general", max_results: 5, include_raw_content: "markdown" },
    });
    expect(output).toMatchObject({ t: expect.stringContaining("**Raw Content:**\nAll\n") });
  });

  it("says in its text that nothing was found, and that it was refused", async () => {
    reply({ results: [] });
    expect((await run({})).output).toEqual({ t: "No results found for 'rye' in Tavily.", j: [{ data: [] }] });
    story.shop.statuses = [401];
    reply({ detail: { error: "Unauthorized: wrong key." } });
    expect((await run({})).output).toMatchObject({ t: "Error occurred while searching: Unauthorized: wrong key." });
  });

  it.each([
    [{ include_images: 1 }, "include_images is not known"],
    [{ include_answer: "later" }, "include_answer is later"],
    [{ topic: { type: "mixed", value: "{{#start.x#}}" } }, "topic is computed"],
  ])("set to %j stays a placeholder", async (configurations, why) => {
    expect(await outcomeOf(search(configurations))).toEqual(["placeholder", expect.stringContaining(why)]);
  });
});

describe("code of Dify that pauses", () => {
  const code = (text: string): JsonObject =>
    at("code", {
      ...{ type: "code", code_language: "python3", code: text },
      variables: [{ variable: "x", value_selector: ["start", "x"] }],
    });

  it("pauses as long in a step before", async () => {
    const source =
      "import re\nimport time\n\ndef main(x):\n    time.sleep(0.3)\n    return {'text': re.sub('a', 'b', x)}\n";
    const draft = await readForeign(JSON.stringify(row(given, code(source), end("end", ["t", "code", "text"]))));
    expect(statesOf(draft).code_pause?.invoke).toMatchObject({ src: "core.delay", input: { ms: 300 } });
    const { output } = await story.run(row(given, code(source), end("end", ["t", "code", "text"])), { x: "aha" });
    expect(output).toEqual({ t: "bhb" });
  });

  it.each([
    [
      "while it waits for something",
      "def main(x):\n    for i in range(3):\n        time.sleep(1)\n    return {'text': x}",
    ],
    ["and reads the time", "def main(x):\n    time.sleep(1)\n    return {'text': str(time.time())}"],
    ["in another function", "def rest():\n    time.sleep(1)\n\ndef main(x):\n    rest()\n    return {'text': x}"],
    ["as long as it is given", "def main(x):\n    time.sleep(x)\n    return {'text': x}"],
  ])("%s stays a placeholder", async (_what, text) => {
    expect(await outcomeOf(code(`import time\n${text}\n`))).toEqual([
      "placeholder",
      "it loads the module time, which is not there",
    ]);
  });
});
