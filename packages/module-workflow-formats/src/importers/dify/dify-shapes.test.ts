import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { outcomesOf, statesOf } from "../../importing/testing/read-imports.ts";
import { answer, app, at, chain, chat, edge, end, start, template, when } from "./testing/dify-app.ts";

const read = (document: JsonObject) => readForeign(JSON.stringify(document));

describe("ids of Dify", () => {
  it.each(["#result", "each#after", "constructor", "__proto__"])("may be %s", async (id) => {
    const nodes = [start(), template(id, "Hi"), end("one", ["a", id, "output"]), end("two", ["b", id, "output"])];
    const draft = await read(app(nodes, [...chain("start", id, "one"), edge(id, "two")]));
    expect(Object.values(outcomesOf(draft))).not.toContain("placeholder");
    expect(draft.report.elements.map(({ state }) => state !== null)).toEqual([false, true, true, true]);
  });
});

describe("an iteration of Dify", () => {
  const each = at("each", {
    type: "iteration",
    ...{ iterator_selector: ["start", "rows"], output_selector: ["inner", "output"], flatten_output: false },
  });
  const begin = at("begin", { type: "iteration-start" }, "each");
  const inner = { ...template("inner", "{{ a }}", { a: ["each", "item"] }), parentId: "each" };
  const rows = start({ variable: "rows", type: "json_object" });
  const edges = [...chain("start", "each", "end"), edge("begin", "inner")];
  const ended = end("end", ["all", "each", "output"]);

  it("is one where its steps stay among themselves, and a placeholder where they do not", async () => {
    expect(outcomesOf(await read(app([rows, each, begin, inner, ended], edges))).each).toBe("mapped");
    const draft = await read(app([rows, each, begin, inner, ended], [...edges, edge("inner", "end")]));
    expect(outcomesOf(draft)).toMatchObject({ each: "placeholder", end: "mapped" });
  });

  it("that is a placeholder hands on what stands for it", async () => {
    const draft = await read(app([rows, each, begin, inner, ended], [...edges, edge("inner", "end")]));
    expect(outcomesOf(draft)).toMatchObject({ each: "placeholder", inner: "ignored" });
    expect(JSON.stringify(statesOf(draft))).toContain("$.each_output.output");
  });

  it("has its item for its own steps only", async () => {
    const outside = template("outside", "{{ a }}", { a: ["each", "item"] });
    const draft = await read(
      app([rows, each, begin, inner, outside], [...chain("start", "each", "outside"), edge("begin", "inner")]),
    );
    expect(outcomesOf(draft)).toMatchObject({ each: "mapped", inner: "noted", outside: "placeholder" });
  });
});

describe("a step of Dify", () => {
  it("whose text begins like a path is a text, and a placeholder where something is filled in", async () => {
    const nodes = [
      start({ variable: "x", type: "text-input", required: true }),
      answer("one", "$.trigger.x"),
      answer("two", "$.x {{#start.x#}}"),
    ];
    const draft = await read(chat(nodes, chain("start", "one", "two")));
    expect(outcomesOf(draft)).toMatchObject({ one: "mapped", two: "placeholder" });
    expect(statesOf(draft).one?.invoke?.input).toEqual({ mapping: { text: { $literal: "$.trigger.x" } } });
  });

  it("that reads what no run comes to is a placeholder", async () => {
    const nodes = [start(), template("gone", "Hi"), template("use", "{{ a }}", { a: ["gone", "output"] }), end("end")];
    const draft = await read(app(nodes, chain("start", "use", "end")));
    expect(outcomesOf(draft)).toMatchObject({ gone: "ignored", use: "placeholder", end: "mapped" });
  });

  it("that is a placeholder keeps a way out behind which nothing follows", async () => {
    const nodes = [start(), when("if", ["sys", "files"], "is", "a"), template("a", "Hi")];
    const draft = await read(app(nodes, [...chain("start", "if"), edge("if", "a", "yes")]));
    expect(statesOf(draft).if?.invoke?.onDone).toMatchObject([{ target: "a" }, { target: "done" }]);
  });

  it("whose field is called __proto__ is a placeholder", async () => {
    const draft = await read(app([start(), end("end", ["__proto__", "start", "x"])], chain("start", "end")));
    expect(outcomesOf(draft).end).toBe("placeholder");
    const form = await read(
      app([start({ variable: "__proto__", type: "text-input" }), end("end")], chain("start", "end")),
    );
    expect(form.report.elements[0]?.notes.join()).toContain("__proto__");
  });
});
