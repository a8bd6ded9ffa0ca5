import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { outcomesOf, statesOf } from "../../importing/testing/read-imports.ts";
import { called, chainOf, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

const read = (document: JsonObject) => readForeign(JSON.stringify(document));
const noteOf = async (document: JsonObject, name: string): Promise<string> =>
  (await read(document)).report.elements.find((element) => element.name === name)?.notes.join() ?? "";

const choice = n8nNode("If", "if", {
  conditions: {
    ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
    conditions: [
      {
        leftValue: "={{ $('Start').item.json.x }}",
        rightValue: "a",
        operator: { type: "string", operation: "equals" },
      },
    ],
  },
});

describe("a loop of n8n", () => {
  const lines = n8nNode("Lines", "splitOut", { fieldToSplitOut: "lines" });
  const nodes = [called("Start"), lines, n8nNode("Loop", "splitInBatches"), writes("In"), writes("Out")];
  const links = { Start: linked(["Lines"]), Lines: linked(["Loop"]), Loop: linked(["Out"], ["In"]) };

  it("is one where its steps are come to through it only", async () => {
    expect(outcomesOf(await read(documentOf(nodes, { ...links, In: linked(["Loop"]) }))).Loop).toBe("mapped");
  });

  it.each<[string, JsonObject]>([
    ["what follows it", { In: linked(["Loop"]), Out: linked(["In"]) }],
    ["what comes before it", { Start: linked(["Lines", "In"]), In: linked(["Loop"]) }],
    ["a step of its own that leads out", { In: linked(["Loop", "Out"]) }],
  ])("is a placeholder, and its steps stay, where %s shares them", async (_what, more) => {
    const draft = await read(documentOf(nodes, { ...links, ...more }));
    expect(outcomesOf(draft)).toMatchObject({ Loop: "placeholder", In: "mapped", Out: "mapped" });
    expect(draft.report.elements.find(({ name }) => name === "Loop")?.notes.join()).toContain(
      "from outside of the loop",
    );
  });

  it.each<[string, string, JsonObject[], JsonObject]>([
    ["each of its ways leads back", "mapped", [choice], { In: linked(["If"]), If: linked(["Loop"], ["Loop"]) }],
    ["one of several ways at once leads back", "mapped", [writes("Log")], { In: linked(["Log", "Loop"]) }],
    ["a way of a condition does not lead back", "placeholder", [choice], { In: linked(["If"]), If: linked(["Loop"]) }],
    ["no way leads back", "placeholder", [], {}],
  ])("where %s is %s", async (_what, outcome, more, connections) => {
    const draft = await read(documentOf([...nodes, ...more], { ...links, ...connections }));
    expect(outcomesOf(draft).Loop).toBe(outcome);
  });

  it.each<[string, JsonObject]>([
    ["one step", { In: linked(["Stop", "Loop"]) }],
    ["two that come together in it", { In: linked(["A", "B", "Loop"]), A: linked(["Stop"]), B: linked(["Stop"]) }],
  ])("whose round ends beside %s that always fails says so, and loses no connection", async (_what, connections) => {
    const stop = n8nNode("Stop", "stopAndError", { errorMessage: "no" });
    const draft = await read(documentOf([...nodes, writes("A"), writes("B"), stop], { ...links, ...connections }));
    expect(outcomesOf(draft)).toMatchObject({ Loop: "mapped", In: "mapped", "After In": "placeholder" });
  });

  it("is followed by nothing where its list is empty", async () => {
    const draft = await read(documentOf(nodes, { ...links, In: linked(["Loop"]) }));
    expect(statesOf(draft).loop_step?.loop?.onDone).toMatchObject([
      { target: "out", guard: { params: { key: "$.output.count", operator: ">", value: 0 } } },
      { target: expect.stringMatching(/^done/) },
    ]);
  });
});

describe("an output of n8n that no item comes out of", () => {
  const ignored = async (nodes: JsonObject[], connections: JsonObject): Promise<string[]> => {
    const { report } = await read(documentOf([called("Start"), ...nodes, writes("End")], connections));
    return report.elements.filter(({ type }) => type === "connection").flatMap(({ notes }) => notes);
  };

  it.each<[string, JsonObject, string]>([
    ["a step that is switched off", { ...writes("Step"), disabled: true }, "switched off"],
    ["a step that is not set to use its output for errors", writes("Step"), "not set to use"],
  ])("of %s is reported, also where the step leads to the same one otherwise", async (_what, step, why) => {
    const connections = { Start: linked(["Step"]), Step: linked(["End", "Mid"], ["End"]), Mid: linked(["End"]) };
    const notes = await ignored([step, writes("Mid")], connections);
    expect(notes).toEqual([expect.stringContaining(why)]);
  });
});

describe("triggers of n8n", () => {
  it("that begin with the same steps in another order are one start", async () => {
    const nodes = [called("One"), n8nNode("Two", "manualTrigger"), writes("a"), writes("b")];
    const draft = await read(documentOf(nodes, { One: linked(["a", "b"]), Two: linked(["b", "a", "a"]) }));
    expect(outcomesOf(draft)).toEqual({ One: "mapped", Two: "mapped", a: "mapped", b: "mapped" });
  });

  it("refuse other methods each with its own words", async () => {
    const hook = (name: string, ...httpMethod: string[]) =>
      n8nNode(name, "webhook", { multipleMethods: true, httpMethod });
    const nodes = [hook("First", "GET", "POST"), hook("Second", "PUT", "PATCH"), writes("a"), writes("b")];
    const states = statesOf(
      await read(documentOf(nodes, { First: linked(["a"], ["b"]), Second: linked(["b"], ["a"]) })),
    );
    const text = JSON.stringify(states);
    for (const methods of ["GET, POST", "PUT, PATCH"]) expect(text).toContain(`The workflow is started by ${methods}`);
  });

  it("say which connection leads on by an output that they do not have", async () => {
    const hook = n8nNode("Hook", "webhook", { multipleMethods: true, httpMethod: ["GET", "POST"] });
    const draft = await read(documentOf([hook, writes("a"), writes("b")], { Hook: linked(["a"], [], [], ["b"]) }));
    expect(outcomesOf(draft)).toMatchObject({ Hook: "noted", a: "mapped", b: "ignored", "“Hook” to “b”": "ignored" });
  });
});

describe("names of n8n", () => {
  it("may be __proto__, of a node with connections", async () => {
    const document = chainOf(called("Start"), writes("__proto__"), writes("b"));
    const draft = await read(document);
    expect(draft.report.elements.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      ...["Start mapped", "__proto__ mapped", "b mapped"],
    ]);
  });

  it("make a step a placeholder where a field is called so", async () => {
    const assignments = [{ name: "__proto__", type: "string", value: "a" }];
    const set = n8nNode("Set", "set", { assignments: { assignments } });
    expect(await noteOf(chainOf(called("Start"), set), "Set")).toContain("a field is called __proto__");
  });

  it("cannot begin with what other parts are named by", async () => {
    await expect(read(chainOf(called("Start"), writes("\u0000start\u0000")))).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      path: "$.nodes[1].name",
    });
  });
});

describe("a step of n8n", () => {
  it("that reads what no run comes to is a placeholder, and what reads that is not", async () => {
    const use = (name: string, from: string, field: string) =>
      n8nNode(name, "set", {
        assignments: { assignments: [{ name: "u", type: "string", value: `={{ $('${from}').item.json.${field} }}` }] },
      });
    const nodes = [called("Start"), writes("Left out"), use("Use", "Left out", "w"), use("Fine", "Use", "u")];
    const draft = await read(documentOf(nodes, { Start: linked(["Use"]), Use: linked(["Fine"]) }));
    expect(outcomesOf(draft)).toMatchObject({ "Left out": "ignored", Use: "placeholder", Fine: "mapped" });
    expect(draft.report.elements.find(({ name }) => name === "Use")?.notes).toEqual([
      "it reads what “Left out” hands on, and no run comes to that",
    ]);
  });

  it.each<[string, Json, Json]>([
    ["stopAndError", { errorMessage: "={{ 7 }}" }, "7"],
    ["stopAndError", { errorMessage: 7 }, "7"],
    ["httpRequest", { url: "={{ 7 }}" }, "7"],
  ])("%s has a text where one is needed: %j", async (type, parameters, text) => {
    const node = n8nNode("Step", type, parameters as JsonObject); // cast: an object of the table
    const { invoke } = statesOf(await read(chainOf(called("Start"), node))).step ?? {};
    expect([invoke?.input?.message, invoke?.input?.url]).toContain(text);
  });

  it("that passes on what comes in hands it on where a run ends there", async () => {
    const draft = await read(chainOf(called("Start"), writes("a"), n8nNode("Pass", "noOp")));
    expect(statesOf(draft).done?.output).toBe("$.a_output");
  });

  it("that is a placeholder keeps a way out behind which nothing follows", async () => {
    const choose = n8nNode("If", "if", { conditions: "computed" });
    const draft = await read(
      documentOf([called("Start"), choose, writes("a")], { Start: linked(["If"]), If: linked(["a"]) }),
    );
    expect(statesOf(draft).if?.invoke?.onDone).toMatchObject([{ target: "a" }, { target: "done" }]);
  });
});
