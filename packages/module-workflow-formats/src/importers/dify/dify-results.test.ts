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

describe("what a workflow of Dify hands on", () => {
  const n = { variable: "n", type: "number", required: true };
  const a = template("a", "A{{n}}", { n: ["start", "n"] });
  const b = template("b", "B{{n}}", { n: ["start", "n"] });

  it("is what the end says that was reached", async () => {
    const document = app(
      [
        start(n),
        when("big", ["start", "n"], ">", "5"),
        a,
        b,
        end("end", ["a", "a", "output"]),
        end("other", ["b", "b", "output"]),
      ],
      [
        edge("start", "big"),
        edge("big", "a", "yes"),
        edge("big", "b", "false"),
        ...chain("a", "end"),
        ...chain("b", "other"),
      ],
    );
    expect(await outputOf(document, { n: 7 })).toEqual({ a: "A7" });
    expect(await outputOf(document, { n: 1 })).toEqual({ b: "B1" });
  });

  it("is what all ends say that were reached", async () => {
    const document = app(
      [start(n), a, b, end("end", ["a", "a", "output"], ["n", "start", "n"]), end("other", ["b", "b", "output"])],
      [...chain("start", "a", "end"), ...chain("start", "b", "other")],
    );
    expect(await outputOf(document, { n: 7 })).toEqual({ a: "A7", n: 7, b: "B7" });
  });

  it("leaves out what a way has that comes to no end", async () => {
    const document = app(
      [start(n), a, b, end("end", ["a", "a", "output"])],
      [...chain("start", "a", "end"), ...chain("start", "b")],
    );
    expect(await outputOf(document, { n: 7 })).toEqual({ a: "A7" });
    const one = app(
      [start(n), when("big", ["start", "n"], ">", "5"), a, b, end("end", ["a", "a", "output"])],
      [edge("start", "big"), edge("big", "a", "yes"), edge("big", "b", "false"), ...chain("a", "end")],
    );
    expect(await outputOf(one, { n: 1 })).toEqual({});
    expect(await outputOf(one, { n: 7 })).toEqual({ a: "A7" });
  });

  it("has null for a variable of a step that did not run", async () => {
    const document = app(
      [start(n), when("big", ["start", "n"], ">", "5"), a, b, end("end", ["a", "a", "output"], ["b", "b", "output"])],
      [
        edge("start", "big"),
        edge("big", "a", "yes"),
        edge("big", "b", "false"),
        ...chain("a", "end"),
        ...chain("b", "end"),
      ],
    );
    expect(await outputOf(document, { n: 7 })).toEqual({ a: "A7", b: null });
  });
});

describe("the reply of a chat of Dify", () => {
  it("joins the answers on the way", async () => {
    const document = chat(
      [start(), answer("hello", "Hello {{#sys.query#}}. "), template("t", "T"), answer("bye", "Bye {{#t.output#}}.")],
      chain("start", "hello", "t", "bye"),
    );
    expect(await outputOf(document, { message: "Ada" })).toEqual({ text: "Hello Ada. Bye T." });
  });

  it("is not what a step behind the last answer gives", async () => {
    const document = chat([start(), answer("hello", "Hello"), template("t", "T")], chain("start", "hello", "t"));
    expect(await outputOf(document, { message: "Ada" })).toEqual({ text: "Hello" });
  });

  it("is empty on a way without an answer", async () => {
    const document = chat(
      [start(), when("hi", ["sys", "query"], "is", "hi"), answer("hello", "Hello"), template("t", "T")],
      [edge("start", "hi"), edge("hi", "hello", "yes"), edge("hi", "t", "false")],
    );
    expect(await outputOf(document, { message: "hi" })).toEqual({ text: "Hello" });
    expect(await outputOf(document, { message: "ho" })).toEqual({ text: "" });
  });

  it("joins what the rounds of an iteration answer, and not where they run at once", async () => {
    const document = (more: JsonObject) =>
      chat(
        [
          start({ variable: "rows", type: "json_object" }),
          at("each", {
            ...{ type: "iteration", start_node_id: "begin", flatten_output: false },
            ...{ iterator_selector: ["start", "rows"], output_selector: ["each", "index"], ...more },
          }),
          at("begin", { type: "iteration-start" }, "each"),
          answer("say", "{{#each.item#}};", "each"),
          answer("end", "."),
        ],
        [...chain("start", "each", "end"), edge("begin", "say")],
      );
    expect(await outputOf(document({}), { message: "x", rows: ["a", "b"] })).toEqual({ text: "a;b;." });
    expect(await outputOf(document({}), { message: "x" })).toEqual({ text: "." });
    const { body } = await story.call("POST", "workflow-imports/preview", {
      source: JSON.stringify(document({ is_parallel: true })),
    });
    const outcomes = body.report.elements.map(({ name, outcome, notes }: JsonObject) => [name, outcome, notes]);
    expect(outcomes).toContainEqual(["each", "placeholder", ["its rounds run at once, and write variables or answer"]]);
    expect(outcomes).toContainEqual(["say", "ignored", ["It is in “each”, which has to be replaced."]]);
  });

  it("is the same where a step of an iteration leads out of it, which makes that part of its rounds", async () => {
    const document = chat(
      [
        start({ variable: "rows", type: "json_object" }),
        at("each", {
          ...{ type: "iteration", start_node_id: "begin", flatten_output: false },
          ...{ iterator_selector: ["start", "rows"], output_selector: ["each", "index"] },
        }),
        at("begin", { type: "iteration-start" }, "each"),
        answer("say", "{{#each.item#}}", "each"),
        answer("outside", ";"),
        answer("end", "."),
      ],
      [...chain("start", "each", "end"), edge("begin", "say"), edge("say", "outside")],
    );
    expect(await outputOf(document, { message: "x", rows: ["a", "b"] })).toEqual({ text: "a;b;." });
  });
});
