import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { statesOf } from "../../importing/testing/read-imports.ts";
import { json } from "../../shared/testing/scripted-model.ts";
import { called, chainOf, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const webhook = (parameters: JsonObject) => n8nNode("Hook", "webhook", parameters);
const reasonsOf = async (document: JsonObject, name: string) => {
  const { report, outcomes } = await story.preview(document);
  return [outcomes[name], report.elements.find((element) => element.name === name)?.notes.join(" ")];
};

describe("a text classifier of n8n", () => {
  const model = n8nNode("Model", "langchain.lmChatOpenAi");
  const classify = (options: JsonObject) =>
    n8nNode("Classify", "langchain.textClassifier", {
      ...{ inputText: "={{ $json.text }}", categories: { categories: [{ category: "refund" }, { category: "none" }] } },
      options,
    });
  const document = (options: JsonObject, more: JsonObject = {}) =>
    documentOf(
      [called("Start"), { ...classify(options), ...more }, model, ...["a", "b", "c"].map((name) => writes(name))],
      {
        ...{ Start: linked(["Classify"]), Classify: linked(["a"], ["b"], ["c"]) },
        Model: { ai_languageModel: [[{ node: "Classify", type: "ai_languageModel", index: 0 }]] },
      },
    );
  const wentTo = async (category: string, options: JsonObject, more: JsonObject = {}) => {
    story.answers.push(json({ category }));
    return (await story.run(document(options, more), { text: "hello" })).output;
  };

  it("leads texts of no category to its output for others", async () => {
    expect(await wentTo("refund", { fallback: "other" })).toEqual({ w: "a" });
    expect(await wentTo("none", { fallback: "other" })).toEqual({ w: "b" });
    expect(await wentTo("none of them", { fallback: "other" })).toEqual({ w: "c" });
  });

  it("ends with them where it discards them, and its next output is that of errors", async () => {
    expect(await wentTo("none of them", {})).toBeNull();
    story.answers.push({ status: 400, message: "no" });
    const { output } = await story.run(document({}, { onError: "continueErrorOutput" }), { text: "hello" });
    expect(output).toEqual({ w: "c" });
  });

  it("keeps its system prompt, with its categories in it", async () => {
    await wentTo("refund", { systemPromptTemplate: "Only {{one}} of {categories}. {format_instructions}" });
    expect(story.asked().at(-1)?.system).toContain("Only {one} of refund, none. \n");
    const unknown = document({ systemPromptTemplate: "Of {shop}" });
    expect(await reasonsOf(unknown, "Classify")).toEqual(["placeholder", expect.stringContaining("{shop}")]);
  });
});

it("an information extractor of n8n keeps its system prompt, with expressions in it", async () => {
  const model = n8nNode("Model", "langchain.lmChatOpenAi");
  const document = (systemPromptTemplate: string) => {
    const extract = n8nNode("Extract", "langchain.informationExtractor", {
      ...{ text: "={{ $json.text }}", attributes: { attributes: [{ name: "a" }] }, options: { systemPromptTemplate } },
    });
    return documentOf([called("Start"), extract, model], {
      ...{ Start: linked(["Extract"]), Model: { ai_languageModel: [[{ node: "Extract", type: "ai_languageModel" }]] } },
    });
  };
  await story.run(document("Only companies."), { text: "Acme" });
  expect(story.asked().at(-1)?.system).toMatch(/^Only companies\./);
  await story.run(document("=Only those of {{ $json.town }}."), { text: "Acme", town: "Oslo" });
  expect(story.asked().at(-1)?.system).toMatch(/^Only those of Oslo\./);
  await story.run(document("$.trigger.text"), { text: "Acme" });
  expect(story.asked().at(-1)?.system).toMatch(/^\$\.trigger\.text/);
});

describe("a picture for a model", () => {
  const sees = (messageType: string, message: JsonObject) => {
    const messages = { messageValues: [{ type: "HumanMessagePromptTemplate", messageType, ...message }] };
    return n8nNode("See", "langchain.chainLlm", { promptType: "define", text: "What is it?", messages });
  };
  const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  it("is shown with what a chain asks, by its address or as the file that came in", async () => {
    const picture = { imageUrl: "={{ $json.picture }}" };
    const input = { picture: `data:image/png;base64,${PIXEL}` };
    await story.run(chainOf(called("Start"), sees("imageUrl", picture)), input);
    const asked = JSON.stringify(story.oven.server.requests.at(-1)?.body);
    expect(asked).toContain("What is it?");
    expect(asked).toContain(PIXEL);
    const posted = chainOf(webhook({ httpMethod: "POST" }), sees("imageBinary", { binaryImageDataKey: "data" }));
    const read = await readForeign(JSON.stringify(posted));
    expect(statesOf(read).see?.invoke?.input?.images).toEqual(["$.trigger.body.data | default($.trigger.body)"]);
  });

  it.each<[string, number, JsonObject, JsonObject, string]>([
    [
      "a question about files",
      1,
      {
        resource: "image",
        operation: "analyze",
        inputType: "base64",
        text: "What is it?",
        modelId: { value: "gpt-4o" },
      },
      { typeVersion: 1.8 },
      "={{ $json.content }}",
    ],
    [
      "messages",
      2,
      {
        responses: {
          values: [
            { type: "text", role: "user", content: "What is it?" },
            { type: "image", role: "user", imageType: "base64" },
            { type: "image", role: "user", imageUrl: "={{ $json.body.address }}" },
          ],
        },
      },
      { typeVersion: 2 },
      "={{ $json.output[0].content[0].text }}",
    ],
  ])("is shown with %s of OpenAI", async (_what, pictures, parameters, more, answer) => {
    const see = n8nNode("See", "langchain.openAi", parameters, more);
    const assignments = { assignments: [{ name: "u", type: "string", value: answer }] };
    const document = chainOf(webhook({ httpMethod: "POST" }), see, n8nNode("Use", "set", { assignments }));
    story.answers.push({ text: "A dot" });
    const url = `data:image/png;base64,${PIXEL}`;
    const { output } = await story.run(document, { body: { data: url, address: url } });
    expect(output).toEqual({ u: "A dot" });
    const asked = JSON.stringify(story.oven.server.requests.at(-1)?.body);
    expect([asked.includes("What is it?"), asked.split(PIXEL).length - 1]).toEqual([true, pictures]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "where it is not sure where the picture stands",
      { resource: "image", operation: "analyze", inputType: "base64" },
      { typeVersion: 1.8 },
    ],
    [
      "where OpenAI has the picture",
      { responses: { values: [{ type: "image", imageType: "fileId", fileId: "file-1" }] } },
      { typeVersion: 2 },
    ],
  ])("makes a node of OpenAI a placeholder %s", async (_what, parameters, more) => {
    const see = n8nNode("See", "langchain.openAi", parameters, more);
    expect(await reasonsOf(chainOf(called("Start"), see), "See")).toEqual([
      "placeholder",
      expect.stringContaining("picture"),
    ]);
  });

  it("makes a chain a placeholder where it is not sure where the picture stands", async () => {
    expect(await reasonsOf(chainOf(called("Start"), sees("imageBinary", {})), "See")).toEqual([
      "placeholder",
      expect.stringContaining("picture"),
    ]);
  });

  it("is said to be left out of what an agent is asked", async () => {
    const options = { passthroughBinaryImages: true };
    const agent = n8nNode("Agent", "langchain.agent", { promptType: "define", text: "Hi", options });
    expect(await reasonsOf(chainOf(called("Start"), agent), "Agent")).toEqual([
      "noted",
      expect.stringContaining("Pictures"),
    ]);
  });
});

describe("a webhook of n8n with several methods", () => {
  const two = webhook({ multipleMethods: true, httpMethod: ["GET", "POST"] });
  const both = documentOf([two, writes("show"), writes("save")], { Hook: linked(["show"], ["save"]) });

  it("leads each method where its output leads", async () => {
    expect((await story.run(both, { method: "GET" })).output).toEqual({ w: "show" });
    expect((await story.run(both, { method: "POST" })).output).toEqual({ w: "save" });
    const other = await story.run(both, { body: {} });
    expect([other.status, other.error]).toEqual(["failed", expect.stringContaining("GET, POST")]);
  });

  it("is one start where all lead to the same, and a choice beside another trigger", async () => {
    const same = documentOf([two, writes("show")], { Hook: linked(["show"], ["show"]) });
    expect((await story.run(same, {})).output).toEqual({ w: "show" });
    const nodes = [two, called("Sub"), writes("show"), writes("save"), writes("sub")];
    const { outcomes, problems } = await story.preview(
      documentOf(nodes, { Hook: linked(["show"], ["save"]), Sub: linked(["sub"]) }),
    );
    expect(outcomes).toMatchObject({ Start: "noted", show: "mapped", save: "mapped", sub: "mapped" });
    expect(problems).toEqual([]);
  });

  it("of another kind is a placeholder", async () => {
    const trigger = n8nNode("Mail", "somethingTrigger");
    const document = documentOf([trigger, writes("show"), writes("save")], { Mail: linked(["show"], ["save"]) });
    const { outcomes } = await story.preview(document);
    expect(outcomes).toMatchObject({ Mail: "placeholder", show: "mapped", save: "mapped" });
  });
});

describe("a Merge node of n8n", () => {
  const clash = (resolveClash: string): JsonObject => ({ clashHandling: { values: { resolveClash } } });
  const use = (key: string) =>
    n8nNode("Use", "set", {
      assignments: { assignments: [{ name: "u", type: "string", value: `={{ $json.${key} }}` }] },
    });
  const document = (typeVersion: number, parameters: JsonObject): JsonObject => ({
    ...documentOf(
      [called("Start"), writes("one"), writes("two"), n8nNode("Merge", "merge", parameters, { typeVersion }), use("w")],
      {
        Start: linked(["one", "two"]),
        one: linked(["Merge"]),
        two: { main: [[{ node: "Merge", type: "main", index: 1 }]] },
        Merge: linked(["Use"]),
      },
    ),
  });

  it.each<[number, JsonObject, string]>([
    [1, { mode: "passThrough" }, "one"],
    [1, { mode: "passThrough", output: "input2" }, "two"],
    [2, { mode: "chooseBranch" }, "one"],
    [2, { mode: "chooseBranch", output: "input2" }, "two"],
    [3, { mode: "chooseBranch" }, "one"],
    [3, { mode: "chooseBranch", useDataOfInput: 2 }, "two"],
  ])("of version %s hands on the side it chooses: %j", async (version, parameters, w) => {
    expect((await story.run(document(version, parameters), {})).output).toEqual({ u: w });
  });

  it.each<[number, JsonObject, string]>([
    [1, { mode: "multiplex" }, "two"],
    [2, { mode: "combine", combinationMode: "multiplex" }, "two"],
    [3, { mode: "combine", combineBy: "combineAll", options: {} }, "two"],
    [3, { mode: "combine", combineBy: "combineAll", options: clash("preferInput1") }, "one"],
    [3, { mode: "combine", combineBy: "combineByPosition", options: clash("preferInput1") }, "one"],
    [3, { mode: "combine", combineBy: "combineByPosition", options: clash("preferInput2") }, "two"],
  ])("of version %s puts one item of each side together: %j", async (version, parameters, w) => {
    const { nodes, connections } = document(version, parameters);
    const own = (name: string) => ({ name: `of ${name}`, type: "string", value: name });
    const sides = (nodes as JsonObject[]).map((node) => {
      if (node.name !== "one" && node.name !== "two") return node.name === "Use" ? use("toJsonString()") : node;
      const fields = [{ name: "w", type: "string", value: node.name }, own(node.name)];
      return { ...node, parameters: { assignments: { assignments: fields } } };
    });
    const { output } = await story.run(documentOf(sides, connections as JsonObject), {});
    expect(JSON.parse((output as { u: string }).u)).toEqual({ w, "of one": "one", "of two": "two" });
  });

  it.each<[number, JsonObject, string]>([
    [1, { mode: "removeKeyMatches" }, "names no field to match by"],
    [1, { mode: "keepKeyMatches", propertyName1: "=id", propertyName2: "id" }, "which fields it matches is computed"],
    [1, { mode: "mergeByKey", propertyName1: "id" }, "names no field to match by"],
    [2, { mode: "combine" }, "names no field to match by"],
    [3, { mode: "combine", joinMode: "enrichInput1" }, "names no field to match by"],
    [3, { mode: "combineBySql" }, "SQL"],
    [3, { mode: "combine", combineBy: "combineByPosition", options: clash("addSuffix") }, "renames fields"],
    [
      3,
      { mode: "combine", combineBy: "combineByPosition", numberInputs: 3, options: clash("preferInput1") },
      "one side",
    ],
    [3, { mode: "sideways" }, "sideways"],
  ])("of version %s that computes what it hands on is a placeholder: %j", async (version, parameters, word) => {
    expect(await reasonsOf(document(version, parameters), "Merge")).toEqual([
      "placeholder",
      expect.stringContaining(word),
    ]);
  });
});

describe("Always Output Data of n8n", () => {
  const condition = (leftValue: string, rightValue: Json) => ({
    options: { caseSensitive: true, typeValidation: "strict", version: 2 },
    ...{
      combinator: "and",
      conditions: [{ leftValue, rightValue, operator: { type: "string", operation: "equals" } }],
    },
  });
  const keep = (more: JsonObject) =>
    n8nNode("Keep", "filter", { conditions: condition("={{ $json.city }}", "Rome") }, more);

  it("goes on behind a filter that nothing passes", async () => {
    const document = (more: JsonObject) => chainOf(called("Start"), keep(more), writes("reached"));
    expect((await story.run(document({ alwaysOutputData: true }), { city: "Oslo" })).output).toEqual({ w: "reached" });
    expect((await story.run(document({}), { city: "Oslo" })).output).not.toEqual({ w: "reached" });
    expect((await story.run(document({}), { city: "Rome" })).output).toEqual({ w: "reached" });
  });

  it("leaves open what is read behind it, and makes a condition that goes both ways a placeholder", async () => {
    const use = n8nNode("Use", "set", {
      assignments: { assignments: [{ name: "u", type: "string", value: "={{ $json.city }}" }] },
    });
    const { outcomes } = await story.preview(chainOf(called("Start"), keep({ alwaysOutputData: true }), use));
    expect(outcomes.Use).toBe("placeholder");
    const choose = n8nNode(
      "If",
      "if",
      { conditions: condition("={{ $json.city }}", "Rome") },
      { alwaysOutputData: true },
    );
    const both = documentOf([called("Start"), choose, writes("a"), writes("b")], {
      ...{ Start: linked(["If"]), If: linked(["a"], ["b"]) },
    });
    expect(await reasonsOf(both, "If")).toEqual(["placeholder", expect.stringContaining("Always Output Data")]);
  });
});

describe("a workflow of n8n in which nothing happens", () => {
  const memory = n8nNode("Memory", "langchain.memoryBufferWindow");
  const agent = n8nNode("Agent", "langchain.agent", { promptType: "define", text: "Hi" });

  it.each<[string, JsonObject]>([
    [
      "whose trigger leads to a helper alone",
      documentOf([called("Start"), memory, agent], {
        ...{ Start: linked(["Memory"]), Memory: { ai_memory: [[{ node: "Agent", type: "ai_memory" }]] } },
      }),
    ],
    ["with a trigger alone", documentOf([called("Only")], {})],
    ["with a note alone", documentOf([n8nNode("Note", "stickyNote", { content: "Hi" })], {})],
  ])("%s is a draft that says so", async (_what, document) => {
    const { problems } = await story.preview(document);
    expect(problems).toEqual([expect.stringContaining("nothing of the document became a step")]);
    const made = await story.call("POST", "workflow-imports", { source: JSON.stringify(document) });
    expect([made.status, made.body.draft]).toEqual([201, true]);
  });

  it("but for some steps keeps these, and says which connection leads nowhere", async () => {
    const document = documentOf([called("Start"), memory, agent, writes("done")], {
      ...{ Start: linked(["Memory", "done"]), Memory: { ai_memory: [[{ node: "Agent", type: "ai_memory" }]] } },
    });
    const { status, output, report } = await story.run(document, {});
    expect([status, output]).toEqual(["completed", { w: "done" }]);
    expect(report.elements).toContainEqual(
      expect.objectContaining({
        type: "connection",
        outcome: "ignored",
        notes: [expect.stringContaining("“Memory” belongs to other steps")],
      }),
    );
  });
});
