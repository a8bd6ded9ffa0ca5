import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { answer, app, at, chain, chat, end, start, withFeatures } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const MODEL = { provider: "openai", name: "gpt-4o", mode: "chat", completion_params: {} };
const SYSTEM = { role: "system", text: "Be brief." };
const said = (role: string, content: string): JsonObject => ({ role, content });
const messages = [
  said("user", "one"),
  said("assistant", "1"),
  said("user", "two"),
  said("assistant", "2"),
  said("user", "three"),
];

/** What the model of a chat is asked, in order. */
async function asked(memory: JsonObject, prompts: JsonObject[] = []): Promise<string[]> {
  const nodes = [
    start(),
    at("write", { type: "llm", model: MODEL, prompt_template: [SYSTEM, ...prompts], memory }),
    answer("reply", "{{#write.text#}}"),
  ];
  story.answers.push({ text: "3", usage: { input: 1, output: 1 } });
  const { output, error } = await story.run(chat(nodes, chain("start", "write", "reply")), {
    message: "three",
    messages,
  });
  expect([output, error]).toEqual([{ text: "3" }, null]);
  const sent: { messages: { role: string; content: Json }[] } = JSON.parse(story.asked().at(-1)?.body ?? "");
  return sent.messages.map(({ role, content }) => `${role}: ${String(content)}`);
}

describe("a model of Dify with a memory", () => {
  const window = (size: number): JsonObject => ({ window: { enabled: true, size } });

  it("gets the conversation and the message", async () => {
    const all = ["system: Be brief.", "user: one", "assistant: 1", "user: two", "assistant: 2", "user: three"];
    expect(await asked({ window: { enabled: false, size: 1 } })).toEqual(all);
    expect(await asked(window(9))).toEqual(all);
  });

  it("gets as many rounds of it as its window has", async () => {
    expect(await asked(window(1))).toEqual(["system: Be brief.", "user: two", "assistant: 2", "user: three"]);
  });

  it("gets its own prompts first, and what is asked in its own words last", async () => {
    const prompts = [
      { role: "user", text: "Is {{#sys.query#}} a number?" },
      { role: "assistant", text: "Yes." },
    ];
    expect(await asked({ ...window(1), query_prompt_template: "Now {{#sys.query#}}{{#sys.files#}}" }, prompts)).toEqual(
      [
        "system: Be brief.",
        "user: Is three a number?",
        "assistant: Yes.",
        "user: two",
        "assistant: 2",
        "user: Now three",
      ],
    );
  });

  it("has none in a workflow, which is no conversation", async () => {
    const nodes = [
      start({ variable: "n", type: "number", required: true }),
      at("write", {
        ...{ type: "llm", model: MODEL, prompt_template: [SYSTEM, { role: "user", text: "First." }] },
        memory: { query_prompt_template: "Then {{#start.n#}}." },
      }),
      end("end", ["text", "write", "text"]),
    ];
    story.answers.push({ text: "ok", usage: { input: 1, output: 1 } });
    const { output } = await story.run(app(nodes, chain("start", "write", "end")), { n: 4 });
    expect(output).toEqual({ text: "ok" });
    const sent = JSON.parse(story.asked().at(-1)?.body ?? "");
    expect(sent.messages.slice(1).map(({ content }: { content: string }) => content)).toEqual(["First.", "Then 4."]);
  });
});

describe("a model of Dify that looks at files", () => {
  const document = (file_upload: JsonObject | undefined, configs: JsonObject): JsonObject => {
    const nodes = [
      start({ variable: "picture", type: "file" }),
      at("look", {
        ...{ type: "llm", model: MODEL, prompt_template: [{ role: "user", text: "What is this?" }] },
        vision: { enabled: true, configs },
      }),
      answer("reply", "{{#look.text#}}"),
    ];
    return withFeatures(chat(nodes, chain("start", "look", "reply")), { file_upload: file_upload ?? null });
  };

  it.each<[string, JsonObject | undefined, JsonObject, string]>([
    ["the app takes none", { enabled: false }, {}, "mapped"],
    ["an app of the first versions takes none", { image: { enabled: false } }, { detail: "high" }, "mapped"],
    ["the app says nothing of any", undefined, { variable_selector: ["sys", "files"] }, "mapped"],
    ["the app takes some", { enabled: true }, {}, "noted"],
    ["an app of the first versions takes some", { image: { enabled: true } }, {}, "noted"],
    ["a field of the form has one", { enabled: false }, { variable_selector: ["start", "picture"] }, "noted"],
  ])("where %s", async (_what, upload, configs, outcome) => {
    const { outcomes } = await story.preview(document(upload, configs));
    expect(outcomes.look).toBe(outcome);
  });
});
