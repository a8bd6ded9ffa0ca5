import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectOnlyPlaceholdersOpen, type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { documentAt } from "../../importing/testing/read-imports.ts";
import { json } from "../../shared/testing/scripted-model.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.asked = [];
  story.shop.statuses = [];
});
afterAll(() => story.stop());

const run = (document: Json, input: JsonObject) => story.run(document, input);

describe("an exported document of Dify", () => {
  it("is previewed with what validates", () =>
    expectOnlyPlaceholdersOpen(story, documentAt("testing/dify-support-chat.yml", import.meta.url)));

  it("becomes a workflow that runs to its end", async () => {
    const made = await story.call("POST", "workflow-imports", {
      source: documentAt("testing/dify-report.yml", import.meta.url),
      name: "My report",
    });
    expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
    expect(made.body.workflow.name).toBe("My report");
    const at = `agent-workflows/${made.body.workflow.id}/execute?wait=20`;
    story.answers.push(json({ category: "A list" }));
    const list = await story.call("POST", at, { input: { topic: "People", names: ["Ada", "Bob"], size: 3 } });
    expect(list.body).toMatchObject({ status: "completed", output: { report: ["0. Ada", "1. Bob"] } });
    story.answers.push(json({ category: "A text" }), { text: "A long story.", usage: { input: 10, output: 5 } });
    const text = await story.call("POST", at, { input: { topic: "People", names: [], size: 4 } });
    expect(text.body).toMatchObject({ status: "completed", output: { report: "A long story.", size: 4 } });
  });
});

describe("an app of Dify", () => {
  const at = (id: string, data: JsonObject, parentId?: string): JsonObject => ({
    id,
    ...(parentId === undefined ? {} : { parentId }),
    data: { title: id, ...data },
  });
  const edge = (source: string, target: string, sourceHandle = "source") => ({ source, target, sourceHandle });
  const app = (nodes: JsonObject[], edges: JsonObject[], variables: JsonObject[] = []) => ({
    kind: "app",
    app: { name: "App", mode: "workflow" },
    workflow: { conversation_variables: variables, graph: { nodes, edges } },
  });
  const start = at("start", { type: "start", variables: [{ variable: "n", type: "number" }] });
  const end = (...outputs: [string, ...string[]][]) =>
    at("end", {
      type: "end",
      outputs: outputs.map(([variable, ...value_selector]) => ({ variable, value_selector })),
    });

  it("leaves a loop at its exit node, and keeps what its variables have", async () => {
    const loop = at("loop", {
      type: "loop",
      loop_count: 10,
      break_conditions: [],
      loop_variables: [
        { label: "sum", var_type: "number", value_type: "constant", value: "0" },
        { label: "seen", var_type: "array[number]", value_type: "constant", value: "[]" },
      ],
      start_node_id: "begin",
    });
    const more = (variable: string, operation: string, input_type: string, value: Json): JsonObject => ({
      ...{ variable_selector: ["loop", variable], operation, input_type, value },
    });
    const nodes = [
      start,
      loop,
      at("begin", { type: "loop-start" }, "loop"),
      at("add", { type: "assigner", items: [more("sum", "+=", "constant", 1)] }, "loop"),
      at(
        "enough",
        {
          type: "if-else",
          cases: [
            {
              case_id: "yes",
              logical_operator: "and",
              conditions: [
                {
                  ...{ variable_selector: ["loop", "sum"], comparison_operator: "≥", varType: "number" },
                  value: "{{#start.n#}}",
                },
              ],
            },
          ],
        },
        "loop",
      ),
      at("exit", { type: "loop-end" }, "loop"),
      at("note", { type: "assigner", items: [more("seen", "append", "variable", ["loop", "sum"])] }, "loop"),
      end(["sum", "loop", "sum"], ["seen", "loop", "seen"]),
    ];
    const edges = [
      edge("start", "loop"),
      edge("begin", "add"),
      edge("add", "enough"),
      edge("enough", "exit", "yes"),
      edge("enough", "note", "false"),
      edge("loop", "end"),
    ];
    const { status, output } = await run(app(nodes, edges), { n: 3 });
    expect([status, output]).toEqual(["completed", { sum: 3, seen: [1, 2] }]);
  });

  it("clears a variable to what its type is when it is empty, and takes constants as they stand", async () => {
    const typed: [string, string, Json][] = [
      ["text", "string", "a"],
      ["count", "number", 4],
      ["list", "array[string]", ["a"]],
      ["map", "object", { a: 1 }],
      ["flag", "boolean", true],
    ];
    const clear = typed.map(([name]) => ({ variable_selector: ["conversation", name], operation: "clear" }));
    const set = (name: string, value: Json): JsonObject => ({
      ...{ variable_selector: ["conversation", name], operation: "set", input_type: "constant", value },
    });
    const items = [...clear, set("text", "{{#start.n#}} $.x {{ y }}"), set("map", '{"b":2}')];
    const nodes = [
      start,
      at("clear", { type: "assigner", items }),
      end(...typed.map(([name]): [string, string, string] => [name, "conversation", name])),
    ];
    const variables = typed.map(([name, value_type, value]) => ({ name, value_type, value }));
    const { output } = await run(app(nodes, [edge("start", "clear"), edge("clear", "end")], variables), { n: 1 });
    expect(output).toEqual({ text: "{{#start.n#}} $.x {{ y }}", count: 0, list: [], map: { b: 2 }, flag: false });
  });

  it("takes a status of 400 or more for an answer, unless somebody says what happens then", async () => {
    const request = (more: JsonObject) =>
      app(
        [
          start,
          at("ask", { type: "http-request", method: "get", url: `${story.shop.origin}/{{#start.n#}}`, ...more }),
          end(["status", "ask", "status_code"]),
          at("failed", { type: "end", outputs: [{ variable: "n", value_selector: ["start", "n"] }] }),
        ],
        [edge("start", "ask"), edge("ask", "end"), edge("ask", "failed", "fail-branch")],
      );
    story.shop.statuses = [404];
    expect((await run(request({}), { n: 1 })).output).toEqual({ status: 404 });
    story.shop.statuses = [404];
    expect((await run(request({ error_strategy: "fail-branch" }), { n: 2 })).output).toEqual({ n: 2 });
    story.shop.statuses = [500, 503];
    const retry_config = { retry_enabled: true, max_retries: 2, retry_interval: 1 };
    expect((await run(request({ retry_config }), { n: 3 })).output).toEqual({ status: 200 });
    expect(story.shop.asked.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/3", "/3"]);
  });

  it.each<[string, (number | null)[]]>([
    ["continue-on-error", [200, null, 200]],
    ["remove-abnormal-output", [200, 200]],
  ])("hands on what each item gave, of one that failed by %s", async (error_handle_mode, all) => {
    const nodes = [
      at("start", { type: "start", variables: [{ variable: "rows", type: "json_object" }] }),
      at("each", {
        type: "iteration",
        iterator_selector: ["start", "rows"],
        output_selector: ["ask", "status_code"],
        start_node_id: "begin",
        error_handle_mode,
      }),
      at("begin", { type: "iteration-start" }, "each"),
      at(
        "ask",
        {
          type: "http-request",
          method: "get",
          url: `${story.shop.origin}/{{#each.item#}}`,
          error_strategy: "none",
          retry_config: { retry_enabled: true, max_retries: 0 },
        },
        "each",
      ),
      end(["all", "each", "output"]),
    ];
    story.shop.statuses = [200, 400, 200];
    const { output, status } = await run(
      app(nodes, [edge("start", "each"), edge("begin", "ask"), edge("each", "end")]),
      {
        rows: ["a", "b", "c"],
      },
    );
    expect([status, output]).toEqual(["completed", { all }]);
  });

  it("asks models for one of its classes, and for what it takes out, with texts that stay as they are", async () => {
    const model = { provider: "openai", name: "gpt-4o", mode: "chat", completion_params: { seed: 7, stop: ["x"] } };
    const nodes = [
      at("start", { type: "start", variables: [{ variable: "mail", type: "paragraph" }] }),
      at("kind", {
        type: "question-classifier",
        query_variable_selector: ["start", "mail"],
        model,
        classes: [
          { id: "1", name: "Order" },
          { id: "2", name: "Other" },
        ],
        instruction: "Costs {{ in $ }} count.",
      }),
      at("take", {
        type: "parameter-extractor",
        query: ["start", "mail"],
        model,
        parameters: [{ name: "count", type: "number", required: true, description: "How many" }],
        reasoning_mode: "function_call",
      }),
      at("write", {
        type: "llm",
        model,
        prompt_template: [
          { role: "system", text: "$.secret {{ stays }}" },
          { role: "user", text: "{{#take.count#}}" },
        ],
      }),
      end(["kind", "kind", "class_name"], ["count", "take", "count"], ["text", "write", "text"]),
    ];
    const edges = [edge("start", "kind"), edge("kind", "take", "1"), edge("take", "write"), edge("write", "end")];
    story.answers.push(json({ category: "Order" }), json({ count: 2 }), {
      text: "Two.",
      usage: { input: 1, output: 1 },
    });
    const mail = "I want 2 {{ $.x }} <<data.y>>";
    const { output, report, error } = await run(app(nodes, edges), { mail });
    expect(error).toBeNull();
    expect(output).toEqual({ kind: "Order", count: 2, text: "Two." });
    const [classify, extract, write] = story.asked().slice(-3);
    expect(classify).toMatchObject({ user: mail, system: expect.stringContaining("Costs {{ in $ }} count.") });
    expect(extract?.user).toBe(mail);
    expect(write).toMatchObject({ system: "$.secret {{ stays }}", user: "2" });
    expect(JSON.parse(write?.body ?? "").seed).toBe(7);
    expect(JSON.stringify(report)).toContain("Settings of its model were not imported: stop.");
  });
});
