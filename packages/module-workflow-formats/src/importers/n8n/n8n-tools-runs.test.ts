import type { Json, JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, documentOf, linked, n8nNode } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.answers.length = 0;
  story.shop.asked.length = 0;
  story.oven.server.requests.length = 0;
});
afterAll(() => story.stop());

const AGENT = n8nNode("Agent", "langchain.agent", { promptType: "define", text: "=Ask {{ $json.q }}", options: {} });
const withTools = (...tools: JsonObject[]): JsonObject =>
  documentOf([called("Start"), AGENT, ...tools], {
    Start: linked(["Agent"]),
    ...Object.fromEntries(
      tools.map(({ name }) => [String(name), { ai_tool: [[{ node: "Agent", type: "ai_tool", index: 0 }]] }]),
    ),
  });
const calling = (name: string, args: JsonObject): ModelReply => ({
  text: "",
  toolCalls: [{ id: "c1", name, arguments: args }],
});
/** What the model was offered and shown, as text. */
const sent = (index: number): string => JSON.stringify(story.oven.server.requests[index]?.body);
const run = async (document: JsonObject, input: JsonObject, ...answers: ModelReply[]) => {
  story.answers.push(...answers);
  const { status, output, error } = await story.run(document, input);
  expect([status, error]).toEqual(["completed", null]);
  return output;
};
const reasonOf = async (tool: JsonObject): Promise<Json | undefined> => {
  const { report } = await story.preview(withTools(tool));
  const found = report.elements.find(({ name }) => name === tool.name);
  return found?.outcome === "placeholder" ? found.notes[0] : undefined;
};
const http = (parameters: JsonObject) =>
  n8nNode("Get weather", "langchain.toolHttpRequest", parameters, { typeVersion: 1.1 });

it("asks what the model fills in: in the address, in the query and beside fixed parameters", async () => {
  const tool = http({
    url: `${story.shop.origin}/{place}/now`,
    toolDescription: "The weather. {{ as it is }}",
    sendQuery: true,
    parametersQuery: {
      values: [
        { name: "days" },
        { name: "lang", valueProvider: "modelOptional" },
        { name: "q", value: "={{ $json.q }}", valueProvider: "fieldValue" },
        { name: "unit", value: "{unit}s", valueProvider: "fieldValue" },
      ],
    },
    placeholderDefinitions: { values: [{ name: "days", type: "number", description: "How many" }] },
  });
  const given = { place: "Oslo", days: 3, unit: "meter" };
  const output = await run(withTools(tool), { q: "X" }, calling("Get_weather", given), { text: "Rain" });
  expect(output).toMatchObject({ text: "Rain" });
  expect(story.shop.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /Oslo/now?q=X&days=3&unit=meters",
  ]);
  expect(sent(0)).toContain("The weather. {{ as it is }}");
  expect(sent(0)).toContain("How many");
  expect(sent(1)).toContain("total");
});

it("sends a body of JSON with what the model gives in it", async () => {
  const tool = http({
    ...{ method: "POST", url: `${story.shop.origin}/events`, sendBody: true, specifyBody: "json" },
    jsonBody: '{ "title": "For {who}", "count": {count}, "fixed": true }',
    placeholderDefinitions: { values: [{ name: "count", type: "number" }] },
  });
  await run(withTools(tool), { q: "X" }, calling("Get_weather", { who: "Ann", count: 2 }), { text: "ok" });
  expect(JSON.parse(story.shop.asked[0]?.body ?? "")).toEqual({ title: "For Ann", count: 2, fixed: true });
});

it("tells the model of an error, which goes on", async () => {
  story.shop.statuses.push(404);
  const tool = http({ url: `${story.shop.origin}/none` });
  expect(await run(withTools(tool), { q: "X" }, calling("Get_weather", {}), { text: "No" })).toMatchObject({
    text: "No",
  });
  expect(sent(1)).toContain("404");
});

it("runs JavaScript with the query of the model", async () => {
  const tool = n8nNode("Code", "langchain.toolCode", {
    name: "shout",
    description: "Shouts",
    jsCode: "return query.toUpperCase() + '{{ }}';",
  });
  await run(withTools(tool), { q: "X" }, calling("shout", { query: "hey" }), { text: "ok" });
  expect(sent(1)).toContain("HEY{{ }}");
});

it("hands back what the model thinks, and calculates", async () => {
  const tools = [n8nNode("Think", "langchain.toolThink"), n8nNode("Sums", "langchain.toolCalculator")];
  await run(
    withTools(...tools),
    { q: "X" },
    calling("Think", { input: "first this" }),
    calling("math_calculate", { expression: "6*7" }),
    { text: "ok" },
  );
  expect([sent(1), sent(2)]).toEqual([expect.stringContaining("first this"), expect.stringContaining("42")]);
});

it("calls the workflow that a tool names, with fixed fields beside what the model asks", async () => {
  const target = documentOf(
    [
      called("In"),
      n8nNode("Out", "set", {
        assignments: { assignments: [{ name: "said", type: "string", value: "={{ $json.route }} {{ $json.query }}" }] },
      }),
    ],
    { In: linked(["Out"]) },
  );
  const made = await story.call("POST", "workflow-imports", {
    source: JSON.stringify({ ...target, name: "Help desk" }),
  });
  expect(made.status).toBe(201);
  const tool = n8nNode(
    "Desk",
    "langchain.toolWorkflow",
    {
      name: "desk",
      description: "Asks the desk",
      workflowId: { mode: "list", value: "x1", cachedResultName: "Help desk" },
      fields: { values: [{ name: "route", stringValue: "=to {{ $json.q }}" }] },
    },
    { typeVersion: 1.2 },
  );
  await run(withTools(tool), { q: "IT" }, calling("desk", { query: "a mouse" }), { text: "ok" });
  expect(sent(1)).toContain("to IT a mouse");
  const renewed = n8nNode(
    "Desk",
    "langchain.toolWorkflow",
    {
      ...{
        name: "desk",
        description: "Asks the desk",
        workflowId: { mode: "list", value: "x1", cachedResultName: "Help desk" },
      },
      workflowInputs: {
        schema: [{ id: "query" }, { id: "route" }],
        value: { query: "={{ $fromAI('wish', `What it is`, 'string') }}", route: "for {{ no expression }}" },
      },
    },
    { typeVersion: 2 },
  );
  story.oven.server.requests.length = 0;
  await run(withTools(renewed), { q: "IT" }, calling("desk", { wish: "a lamp" }), { text: "ok" });
  expect(sent(1)).toContain("for {{ no expression }} a lamp");
});

it("stays a placeholder where a tool computes with what the model gives, or nothing does the same", async () => {
  const computed = n8nNode(
    "Desk",
    "langchain.toolWorkflow",
    {
      name: "desk",
      workflowId: "d",
      workflowInputs: { schema: [{ id: "a" }], value: { a: "={{ $fromAI('a').trim() }}" } },
    },
    { typeVersion: 2 },
  );
  expect(await reasonOf(computed)).toContain("it computes with what the model gives");
  expect(await reasonOf(n8nNode("Base", "postgresTool"))).toContain("there is no tool here that does the same");
  expect(await reasonOf(http({ url: "https://a.test", optimizeResponse: true, responseType: "html" }))).toContain(
    "it takes text out of a page",
  );
});

it("asks an app in one request, and the servers of MCP by the connection that takes their place", async () => {
  const send = n8nNode(
    "Tell",
    "telegramTool",
    { chatId: "7", text: "={{ $fromAI('text', 'What to say') }}", additionalFields: { appendAttribution: false } },
    { typeVersion: 1.2 },
  );
  const mcp = n8nNode("My server", "langchain.mcpClientTool", {
    sseEndpoint: "https://mcp.test/sse",
    include: "selected",
    includeTools: ["find"],
  });
  const { outcomes, problems, report } = await story.preview(withTools(send, mcp));
  expect([outcomes.Tell, outcomes["My server"], outcomes.Agent]).toEqual(["noted", "noted", "mapped"]);
  expect(problems).toEqual([]);
  expect(report.settings.map(({ name }) => name)).toEqual(expect.arrayContaining(["telegram", "my-server"]));
  expect(
    await reasonOf(
      n8nNode("Tell", "telegramTool", { chatId: "7", text: "x", binaryData: true, operation: "sendPhoto" }),
    ),
  ).toContain("it sends a file");
});

it("answers a webhook with what an agent hands on", async () => {
  const document = documentOf(
    [
      n8nNode("Hook", "webhook", { path: "x" }),
      AGENT,
      n8nNode("Respond", "respondToWebhook", { options: {} }, { typeVersion: 1.1 }),
    ],
    { Hook: linked(["Agent"]), Agent: linked(["Respond"]) },
  );
  const output = await run(document, { body: {}, query: {}, headers: {}, q: "X" }, { text: "Hello" });
  expect(output).toEqual({ status: 200, headers: {}, body: { output: "Hello" } });
});

it("looks things up in a vector store: as a tool that answers, a tool that hands on matches, and a chain", async () => {
  const aside = (name: string, kind: string): [string, Json] => [
    name,
    { [kind]: [[{ node: "Store", type: kind, index: 0 }]] },
  ];
  const store = n8nNode("Store", "langchain.vectorStoreQdrant");
  const tool = n8nNode("Handbook", "langchain.toolVectorStore", { name: "handbook", description: "Rules", topK: 3 });
  const search = n8nNode("Search", "langchain.vectorStorePinecone", {
    mode: "retrieve-as-tool",
    toolName: "search",
    toolDescription: "Finds",
  });
  const document = withTools(tool, search);
  const connections = document.connections as JsonObject; // cast: as it is made
  const whole = {
    ...document,
    nodes: [...(document.nodes as JsonObject[]), store, n8nNode("Vectors", "langchain.embeddingsOpenAi")], // cast: as it is made
    connections: {
      ...connections,
      Store: { ai_vectorStore: [[{ node: "Handbook", type: "ai_vectorStore", index: 0 }]] },
      ...Object.fromEntries([aside("Vectors", "ai_embedding")]),
    },
  };
  const { body } = await story.call("POST", "workflow-imports/preview", { source: JSON.stringify(whole) });
  expect(body.problems).toEqual([]);
  expect(body.definition.states.agent.invoke.input.stepTools).toMatchObject([
    {
      name: "handbook",
      src: "agent.rag",
      input: { store: "store", topK: 3, answer: true, query: "$.toolArguments.query" },
      result: "$.output.answer",
    },
    { name: "search", src: "agent.rag", input: { store: "search", topK: 4 }, result: "$.output.matches" },
  ]);
  const chain = n8nNode(
    "Chain",
    "langchain.chainRetrievalQa",
    { promptType: "define", text: "={{ $json.q }}" },
    { typeVersion: 1.4 },
  );
  const asked = documentOf(
    [
      called("Start"),
      chain,
      n8nNode("Retriever", "langchain.retrieverVectorStore", { topK: 2 }),
      store,
      n8nNode("Use", "set", {
        assignments: { assignments: [{ name: "u", type: "string", value: "={{ $json.response.text }}" }] },
      }),
    ],
    {
      Start: linked(["Chain"]),
      Chain: linked(["Use"]),
      Retriever: { ai_retriever: [[{ node: "Chain", type: "ai_retriever", index: 0 }]] },
      Store: { ai_vectorStore: [[{ node: "Retriever", type: "ai_vectorStore", index: 0 }]] },
    },
  );
  const read = await story.call("POST", "workflow-imports/preview", { source: JSON.stringify(asked) });
  expect([read.body.problems, read.body.definition.states.chain.invoke]).toMatchObject([
    [],
    { src: "agent.rag", input: { store: "store", query: "{{ $.trigger.q }}", topK: 2, answer: true, history: "none" } },
  ]);
  expect(JSON.stringify(read.body.definition.states.use)).toContain("$.chain_output.answer");
});

it("fills in what the attributes of an extractor say, and stays a placeholder where their names are computed", async () => {
  const extractor = (name: string) =>
    n8nNode("Extract", "langchain.informationExtractor", {
      text: "={{ $json.q }}",
      attributes: { attributes: [{ name, description: "=One of {{ $json.kinds }}", required: true }] },
    });
  const document = documentOf([called("Start"), extractor("kind")], { Start: linked(["Extract"]) });
  const output = await run(document, { q: "X", kinds: "a, b" }, { text: '{"kind":"a"}' });
  expect(output).toMatchObject({ object: { kind: "a" } });
  expect(sent(0)).toContain("One of a, b");
  const { report } = await story.preview(
    documentOf([called("Start"), extractor("={{ $json.q }}")], { Start: linked(["Extract"]) }),
  );
  expect(report.elements.find(({ name }) => name === "Extract")?.notes).toEqual([
    "the name of an attribute is computed",
  ]);
});
