import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { answer, app, at, chain, chat, edge, end, start, template, when } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

async function outputOf(document: JsonObject, input: JsonObject): Promise<unknown> {
  const { status, output, error } = await story.run(document, input);
  expect([status, error]).toEqual(["completed", null]);
  return output;
}

/** What is said of an element that cannot be imported. */
async function placeholders(document: JsonObject): Promise<Record<string, string>> {
  const { body } = await story.call("POST", "workflow-imports/preview", { source: JSON.stringify(document) });
  const open = body.report.elements.filter(({ outcome }: JsonObject) => outcome === "placeholder");
  return Object.fromEntries(open.map(({ name, notes }: { name: string; notes: string[] }) => [name, notes.join(" ")]));
}

describe("system variables of Dify", () => {
  it.each(
    [
      ["sys", "query"],
      ["start", "sys.query"],
      ["start", "sys", "query"],
    ].map((selector) => [selector]),
  )("%s is the message", async (selector) => {
    const document = chat(
      [
        start(),
        when("hi", selector, "is", "hi"),
        template("t", "You said {{q}}", { q: selector }),
        answer("a", `{{#t.output#}}, {{#${selector.join(".")}#}}`),
      ],
      [edge("start", "hi"), edge("hi", "t", "yes"), edge("t", "a")],
    );
    expect(await outputOf(document, { message: "hi" })).toEqual({ text: "You said hi, hi" });
  });

  it.each(["sys", "start.sys"])("%s.workflow_run_id is the id of the run", async (from) => {
    const nodes = [
      start(),
      template("t", "{{id}}", { id: `${from}.workflow_run_id`.split(".") }),
      end("end", ["id", "t", "output"]),
    ];
    const { output, ...run } = await story.run(app(nodes, chain("start", "t", "end")), {});
    expect(output).toEqual({ id: String(run.id) });
  });

  it.each(["files", "user_id", "conversation_id", "app_id", "timestamp"])(
    "sys.%s has no equal, which is said wherever it stands",
    async (key) => {
      const reason = `the variable sys.${key} has no exact equivalent`;
      for (const selector of [
        ["sys", key],
        ["start", `sys.${key}`],
        ["start", "sys", key],
      ]) {
        const nodes = [start(), template("t", "{{x}}", { x: selector }), answer("a", `{{#${selector.join(".")}#}}`)];
        expect(await placeholders(chat(nodes, chain("start", "t", "a")))).toMatchObject({ t: reason, a: reason });
      }
    },
  );

  it("sys.query has none in a workflow, which has no message", async () => {
    const nodes = [start(), template("t", "{{q}}", { q: ["start", "sys.query"] }), end("end")];
    expect(await placeholders(app(nodes, chain("start", "t", "end")))).toHaveProperty("t");
  });
});

describe("fields of a start form of Dify that are left out", () => {
  const optional = (variable: string, type: string, more: JsonObject = {}): JsonObject => ({ variable, type, ...more });
  const check = (selector: string[], operator: string, value = "") =>
    app(
      [
        start(optional("x", "text-input"), optional("n", "number")),
        when("if", selector, operator, value),
        end("yes", ["y", "start", "x"]),
        end("no"),
      ],
      [edge("start", "if"), edge("if", "yes", "yes"), edge("if", "no", "false")],
    );

  it.each<[string, string, boolean]>([
    ["empty", "", true],
    ["not empty", "", false],
    ["null", "", true],
    ["not null", "", false],
    ["exists", "", false],
    ["is", "a", false],
    ["is not", "a", false],
    ["contains", "a", false],
    ["not contains", "a", true],
  ])("are null in a condition: %s %s", async (operator, value, holds) => {
    expect(await outputOf(check(["start", "x"], operator, value), {})).toEqual(holds ? { y: null } : {});
  });

  it("are null as a value, nothing in a text, None in Jinja, and their default where they have one", async () => {
    const fields = [
      optional("x", "text-input"),
      optional("n", "number"),
      optional("word", "text-input", { default: "w" }),
      optional("none", "text-input", { default: "" }),
      optional("count", "number", { default: "5" }),
      optional("flag", "checkbox", { default: "true" }),
    ];
    const names = ["x", "n", "word", "none", "count", "flag"];
    const set = (name: string): JsonObject => ({
      ...{ variable_selector: ["conversation", "all"], operation: "append", input_type: "variable" },
      value: ["start", name],
    });
    const nodes = [
      start(...fields),
      template(
        "jinja",
        names.map((name) => `{{${name}}}`).join("|"),
        Object.fromEntries(names.map((name) => [name, ["start", name]])),
      ),
      at("first", {
        type: "variable-aggregator",
        variables: [
          ["start", "x"],
          ["start", "word"],
        ],
      }),
      at("set", { type: "assigner", items: ["count", "flag"].map(set) }),
      end(
        "end",
        ["jinja", "jinja", "output"],
        ["first", "first", "output"],
        ["all", "conversation", "all"],
        ...names.map((name): [string, string, string] => [name, "start", name]),
      ),
    ];
    const variables = [{ name: "all", value_type: "array[string]", value: [] }];
    const document = app(nodes, chain("start", "jinja", "first", "set", "end"), variables);
    expect(await outputOf(document, {})).toEqual({
      ...{ x: null, n: null, word: "w", none: "", count: 5, flag: true },
      ...{ jinja: "None|None|w||5|true", first: null, all: [5, true] },
    });
    const said = chat(
      [start(...fields), answer("a", "[{{#start.x#}}{{#start.n#}}{{#start.word#}}]")],
      chain("start", "a"),
    );
    expect(await outputOf(said, { message: "hi" })).toEqual({ text: "[w]" });
  });
});

it("a variable aggregator takes the first that is there, also by groups", async () => {
  const branch = (id: string) => template(id, id.toUpperCase());
  const nodes = [
    start({ variable: "n", type: "number", required: true }),
    when("big", ["start", "n"], ">", "5"),
    ...["a", "b"].map(branch),
    at("one", {
      type: "variable-aggregator",
      variables: [
        ["a", "output"],
        ["b", "output"],
      ],
    }),
    at("two", {
      type: "variable-aggregator",
      advanced_settings: {
        group_enabled: true,
        groups: [
          {
            group_name: "g",
            variables: [
              ["b", "output"],
              ["a", "output"],
            ],
          },
          {
            group_name: "h",
            variables: [
              ["nowhere", "output"],
              ["start", "n"],
            ].slice(1),
          },
        ],
      },
    }),
    end("end", ["one", "one", "output"], ["g", "two", "g", "output"], ["h", "two", "h", "output"]),
  ];
  const edges = [
    edge("start", "big"),
    edge("big", "a", "yes"),
    edge("big", "b", "false"),
    ...chain("a", "one", "two", "end"),
    ...chain("b", "one"),
  ];
  expect(await outputOf(app(nodes, edges), { n: 7 })).toEqual({ one: "A", g: "A", h: 7 });
  expect(await outputOf(app(nodes, edges), { n: 2 })).toEqual({ one: "B", g: "B", h: 2 });
});
