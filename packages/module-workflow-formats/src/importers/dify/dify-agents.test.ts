import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { statesOf } from "../../importing/testing/read-imports.ts";
import { answer, app, at, chain, chat, edge, end, start } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
  const config = { moduleName: "module-workflow-formats", key: "SEARCH_URL", value: story.shop.origin };
  expect((await story.call("POST", "module-configs", config)).status).toBe(201);
});
beforeEach(() => {
  story.answers.length = 0;
});
afterAll(() => story.stop());

const usage = { input: 1, output: 1 };
const constant = (value: Json): JsonObject => ({ type: "constant", value });
const clock = { type: "builtin", enabled: true, provider_name: "time", tool_name: "current_time", tool_label: "Clock" };
const search = {
  ...{ type: "builtin", provider_name: "langgenius/duckduckgo/duckduckgo", tool_name: "ddgo_search" },
  ...{ tool_label: "DuckDuckGo", parameters: { query: { auto: 1, value: null } } },
};
const agent = (parameters: JsonObject, more: JsonObject = {}): JsonObject =>
  at("agent", {
    ...{ type: "agent", agent_strategy_name: "function_calling", ...more },
    agent_parameters: {
      ...{ instruction: constant("Use tools."), query: constant("{{#sys.query#}}") },
      ...Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, constant(value)])),
    },
  });
const talk = (one: JsonObject, ...more: JsonObject[]): JsonObject => {
  const nodes = [start(), one, ...more, answer("reply", "{{#agent.text#}}")];
  return chat(nodes, chain(...nodes.map(({ id }) => String(id))));
};
const earlier = [
  { role: "user", content: "one" },
  { role: "assistant", content: "1" },
  { role: "user", content: "now?" },
];

interface Sent {
  messages: { role: string; content: Json }[];
  tools?: { function: { name: string } }[];
  tool_choice?: Json;
}
/** What models were asked since a number of requests. */
const sentSince = (count: number): Sent[] =>
  story
    .asked()
    .slice(count)
    .map(({ body }) => JSON.parse(body));
const rolesOf = ({ messages }: Sent) => messages.map(({ role }) => role);

describe("an agent of Dify with tools", () => {
  it("calls them until it answers, and sees nothing of the conversation without a memory", async () => {
    const count = story.asked().length;
    story.answers.push({ toolCalls: [{ name: "time_now", arguments: {} }], usage }, { text: "Noon.", usage });
    const memory = { query_prompt_template: "", window: { enabled: false } };
    const later = at("later", { type: "llm", prompt_template: [{ role: "system", text: "Sum up." }], memory });
    story.answers.push({ text: "Later.", usage });
    const { output, error } = await story.run(talk(agent({ tools: [clock] }), later), {
      message: "now?",
      messages: earlier,
    });
    expect([output, error]).toEqual([{ text: "Noon." }, null]);
    const [first, second, third] = sentSince(count);
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(["time_now"]);
    expect(first?.messages[0]?.content).toContain("Use tools.");
    expect(first?.messages.slice(1).map(({ content }) => content)).toEqual(["now?"]);
    expect(second && rolesOf(second)).toEqual(["system", "user", "assistant", "tool"]);
    expect(String(second?.messages.at(-1)?.content)).toContain("Etc/UTC");
    // What the agent and its tools said is no part of the conversation.
    expect(third?.messages.slice(1).map(({ content }) => content)).toEqual(["one", "1", "now?"]);
  });

  it("with a memory sees as many rounds of the conversation as its window has", async () => {
    const count = story.asked().length;
    const said = [{ role: "user", content: "zero" }, { role: "assistant", content: "0" }, ...earlier];
    const memory = { window: { enabled: true, size: 1 } };
    story.answers.push({ text: "Noon.", usage });
    const { output } = await story.run(talk(agent({ tools: [clock] }, { memory })), {
      message: "now?",
      messages: said,
    });
    expect(output).toEqual({ text: "Noon." });
    expect(
      sentSince(count)[0]
        ?.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(["one", "1", "now?"]);
  });

  it("calls no tool in its last round", async () => {
    const count = story.asked().length;
    story.answers.push({ toolCalls: [{ name: "time_now", arguments: {} }], usage }, { text: "Enough.", usage });
    const { output } = await story.run(talk(agent({ tools: [clock], maximum_iterations: 2 })), { message: "now?" });
    expect(output).toEqual({ text: "Enough." });
    expect(sentSince(count).map(({ tool_choice }) => tool_choice)).toEqual(["auto", "none"]);
  });

  it("searches by the search service of the installation, as the report says", async () => {
    const results = [{ title: "Rye", url: "https://example.com/rye", content: "Bread" }];
    story.shop.replies.push({ type: "application/json", body: JSON.stringify({ results }) });
    story.answers.push(
      { toolCalls: [{ name: "search_web", arguments: { query: "rye" } }], usage },
      { text: "Found.", usage },
    );
    const count = story.asked().length;
    const document = talk(agent({ tools: [search] }));
    const { output, report } = await story.run(document, { message: "rye?" });
    expect(output).toEqual({ text: "Found." });
    expect(story.shop.asked.at(-1)?.url).toBe("/search?q=rye&format=json");
    expect(String(sentSince(count)[1]?.messages.at(-1)?.content)).toContain("https://example.com/rye");
    const setting = report.settings.find(({ kind }: { kind: string }) => kind === "tool");
    expect(setting).toMatchObject({ name: "DuckDuckGo", advice: expect.stringContaining("SEARCH_URL") });
  });

  it("gets the time zone that its clock is set to", async () => {
    const settings = { timezone: { value: "Asia/Shanghai" } };
    const draft = await readForeign(JSON.stringify(talk(agent({ tools: [{ ...clock, settings }] }))));
    expect(statesOf(draft).agent?.invoke?.input).toMatchObject({
      system: "Use tools.\n\nSay times in the time zone Asia/Shanghai.",
    });
  });

  it.each<[string, JsonObject, string[], string[]]>([
    ["an address", { mcp_server: "https://maps.example/sse?key=k3y" }, ["mcp.maps-example.*"], ["MCP: maps.example"]],
    [
      "a configuration",
      { mcp_servers_config: '{"mcpServers":{"My Maps":{"url":"https://m.example/sse","headers":{"x-key":"k3y"}}}}' },
      ["mcp.my-maps.*"],
      ["MCP: My Maps (m.example)"],
    ],
    [
      "a tool of a server",
      { tools: [{ type: "mcp", provider_name: "id-1", provider_show_name: "Maps", tool_name: "find_way" }] },
      ["mcp.maps.find_way"],
      ["MCP: Maps"],
    ],
  ])("has the tools of the MCP server that %s names, once it is connected", async (_what, parameters, tools, names) => {
    const document = talk(agent(parameters));
    const draft = await readForeign(JSON.stringify(document));
    expect(statesOf(draft).agent?.invoke).toMatchObject({ src: "agent.toolLoop", input: { tools } });
    expect(draft.report.settings.flatMap(({ kind, name }) => (kind === "tool" ? [name] : []))).toEqual(names);
    expect(JSON.stringify(draft)).not.toContain("k3y");
    const { status, error } = await story.run(document, { message: "x" });
    expect([status, error]).toEqual(["failed", `There is no tool \`${tools[0]}\``]);
  });

  const fork = [edge("start", "agent"), edge("start", "other"), edge("agent", "reply"), edge("other", "reply")];
  const other = at("other", { type: "llm", prompt_template: [{ role: "user", text: "x" }] });
  it.each<[string, JsonObject, string]>([
    ["a tool that has no equal", talk(agent({ tools: [{ ...clock, tool_name: "weekday" }] })), "have to be chosen"],
    [
      "a tool with a fixed input",
      talk(agent({ tools: [{ ...search, parameters: { query: { auto: 0, value: { value: "rye" } } } }] })),
      "have to be chosen: DuckDuckGo",
    ],
    ["one round only", talk(agent({ tools: [clock], maximum_iterations: 1 })), "asked 1 times"],
    [
      "attempts of its own",
      talk(agent({ tools: [clock] }, { retry_config: { retry_enabled: true, max_retries: 2 } })),
      "tried again as a whole",
    ],
    [
      "a branch for its failure",
      talk(agent({ tools: [clock] }, { error_strategy: "default-value", default_value: [] })),
      "two steps here",
    ],
    [
      "steps beside it",
      chat([start(), agent({ tools: [clock] }), other, answer("reply", "{{#agent.text#}}")], fork),
      "share its conversation",
    ],
  ])("that has %s stays a placeholder", async (_what, document, why) => {
    const { report } = await readForeign(JSON.stringify(document));
    const { outcome, notes } = report.elements.find(({ name }) => name === "agent") ?? {};
    expect([outcome, notes?.[0]]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("in a workflow is asked what its query says", async () => {
    const count = story.asked().length;
    story.answers.push({ text: "Yes.", usage });
    const given = start({ variable: "x", type: "text-input", required: true });
    const nodes = [given, agent({ tools: [clock], query: "Is it {{#start.x#}}?" }), end("end", ["t", "agent", "text"])];
    const { output } = await story.run(app(nodes, chain("start", "agent", "end")), { x: "late" });
    expect(output).toEqual({ t: "Yes." });
    expect(sentSince(count)[0]?.messages.at(-1)?.content).toBe("Is it late?");
  });
});
