import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { answer, app, at, chain, chat, edge, end, start, when, withFeatures } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const GIF = `data:image/gif;base64,${Buffer.from("GIF89a a picture").toString("base64")}`;
const shown = { type: "image_url", image_url: expect.objectContaining({ url: GIF }) };
const usage = { input: 1, output: 1 };
const withUploads = (document: JsonObject) => withFeatures(document, { file_upload: { enabled: true } });
const vision = (...variable_selector: string[]): JsonObject => ({
  vision: {
    enabled: true,
    configs: { detail: "high", ...(variable_selector.length === 0 ? {} : { variable_selector }) },
  },
});
const llm = (more: JsonObject): JsonObject =>
  at("look", { type: "llm", prompt_template: [{ role: "system", text: "Be brief." }], ...more });

/** What the model was asked last, without its system prompt. */
function said(): Json[] {
  const { messages }: { messages: { content: Json }[] } = JSON.parse(story.asked().at(-1)?.body ?? "");
  return messages.slice(1).map(({ content }) => content);
}

describe("a model of Dify that looks at files", () => {
  const talk = (more: JsonObject) =>
    withUploads(chat([start(), llm(more), answer("reply", "{{#look.text#}}")], chain("start", "look", "reply")));

  it("sees those of a chat with the message", async () => {
    story.answers.push({ text: "A cat.", usage });
    const memory = { window: { enabled: false } };
    const { output, error } = await story.run(talk({ ...vision("sys", "files"), memory }), {
      message: "What is it?",
      files: [GIF],
    });
    expect([output, error]).toEqual([{ text: "A cat." }, null]);
    expect(said()).toEqual([[{ type: "text", text: "What is it?" }, shown]]);
    story.answers.push({ text: "Nothing.", usage });
    expect((await story.run(talk({ ...vision(), memory }), { message: "And now?" })).output).toEqual({
      text: "Nothing.",
    });
    expect(said()).toEqual(["And now?"]);
  });

  it("sees that of a field of the form, also one that is left out", async () => {
    const field = start({ variable: "photo", type: "file", required: false });
    const prompts = [
      { role: "system", text: "Be brief." },
      { role: "user", text: "Look" },
    ];
    const nodes = [
      field,
      llm({ ...vision("start", "photo"), prompt_template: prompts }),
      end("end", ["t", "look", "text"]),
    ];
    const document = app(nodes, chain("start", "look", "end"));
    story.answers.push({ text: "A cat.", usage }, { text: "Nothing.", usage });
    expect((await story.run(document, { photo: GIF })).output).toEqual({ t: "A cat." });
    expect(said()).toEqual([[{ type: "text", text: "Look" }, shown]]);
    expect((await story.run(document, {})).output).toEqual({ t: "Nothing." });
    expect(said()).toEqual(["Look"]);
  });

  it("classifies by what it sees", async () => {
    const classify = at("sort", {
      ...{ type: "question-classifier", query_variable_selector: ["sys", "query"], ...vision() },
      classes: [
        { id: "1", name: "cat" },
        { id: "2", name: "dog" },
      ],
    });
    const nodes = [start(), classify, answer("one", "Meow"), answer("two", "Woof")];
    const edges = [edge("start", "sort"), edge("sort", "one", "1"), edge("sort", "two", "2")];
    story.answers.push({ text: '{"category": "dog"}', usage });
    const { output } = await story.run(withUploads(chat(nodes, edges)), { message: "Which?", files: [GIF] });
    expect(output).toEqual({ text: "Woof" });
    expect(said()).toEqual([[{ type: "text", text: "Which?" }, shown]]);
  });

  it("beside a field that is called as the files are stays a placeholder", async () => {
    const nodes = [start({ variable: "files", type: "text-input" }), llm(vision()), answer("reply", "x")];
    const document = withUploads(chat(nodes, chain("start", "look", "reply")));
    const { report } = await readForeign(JSON.stringify(document));
    expect(report.elements.find(({ name }) => name === "look")).toMatchObject({
      outcome: "placeholder",
      notes: [expect.stringContaining("a field of that is called files")],
    });
  });
});

describe("a chat of Dify", () => {
  const branch = (...condition: Parameters<typeof when>) =>
    withUploads(
      chat(
        [start(), when(...condition), answer("yes", "yes"), answer("no", "no")],
        [edge("start", "if"), edge("if", "yes", "yes"), edge("if", "no", "false")],
      ),
    );

  it.each([
    ["not empty", [GIF], "yes"],
    ["not empty", [], "no"],
    ["empty", undefined, "yes"],
  ])("asks whether files are %s: %j", async (operator, files, expected) => {
    const input = { message: "x", ...(files === undefined ? {} : { files }) };
    expect((await story.run(branch("if", ["sys", "files"], operator), input)).output).toEqual({ text: expected });
  });

  it("counts the messages of a person, this one among them", async () => {
    const messages = [
      { role: "user", content: "one" },
      { role: "assistant", content: "1" },
      { role: "user", content: "two" },
    ];
    const document = branch("if", ["sys", "dialogue_count"], "=", "1");
    expect((await story.run(document, { message: "one" })).output).toEqual({ text: "yes" });
    expect((await story.run(document, { message: "two", messages })).output).toEqual({ text: "no" });
    const told = chat([start(), answer("reply", "No. {{#sys.dialogue_count#}}")], chain("start", "reply"));
    expect((await story.run(told, { message: "one" })).output).toEqual({ text: "No. 1" });
    expect((await story.run(told, { message: "two", messages })).output).toEqual({ text: "No. 2" });
  });
});
