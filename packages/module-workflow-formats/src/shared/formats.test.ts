import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainStory, chainOf, executor, json, startChains } from "../formats/chains/testing/chain-story.ts";

let story: ChainStory;
beforeAll(async () => {
  story = await startChains();
});
afterAll(() => story.oven.stop());

const GRAPH = { name: "Graph", steps: { root: { function: "core.transform", input: { mapping: { n: 1 } } } } };
const call = (method: string, path: string, body?: unknown, key = story.key) =>
  story.oven.call(method, path, body, { key });
const SOURCES = [
  { format: "executor-chain", document: chainOf([executor("one")], { workflow_id: "one" }) },
  { format: "session-graph", document: GRAPH },
];

describe("the formats", () => {
  it("are listed with what one may see of them", async () => {
    expect((await call("GET", "workflow-formats")).body).toEqual([
      { format: "linear", title: "Linear workflows" },
      { format: "executor-chain", title: "Executor chains" },
      { format: "session-graph", title: "Session graphs" },
      { format: "routed-graph", title: "Routed graphs" },
    ]);
    const reviewer = await story.oven.keyFor("reviewer");
    expect((await call("GET", "workflow-formats", undefined, reviewer)).status).toBe(403);
    expect((await call("GET", "workflow-formats/nothing")).status).toBe(404);
  });

  it.each(SOURCES)("compile, import, list and export documents: $format", async ({ format, document }) => {
    const source = JSON.stringify(document);
    const at = `workflow-formats/${format}`;
    const compiled = await call("POST", `${at}/compile`, { source });
    expect(compiled.body.definition.meta.source.format).toBe(format);
    expect((await call("GET", at)).body).toEqual([]);
    const made = await call("POST", `${at}/import`, { source });
    expect([made.status, made.body.format, made.body.name]).toEqual([201, format, document.name]);
    expect((await call("GET", at)).body).toEqual([made.body]);
    const exported = await call("GET", `${at}/${made.body.id}/export`);
    expect(exported.body).toMatchObject(JSON.parse(source));
    const wrong = await call("POST", `${at}/import`, { source: "{" });
    expect(wrong.body.error).toMatchObject({ code: "SOURCE_UNREADABLE", details: { line: 1, column: 1 } });
    expect((await call("POST", `${at}/compile`, { source: "{}" })).body.error.code).toBe("SOURCE_INVALID");
    // Nobody else's.
    const other = await story.oven.keyFor("admin");
    expect((await call("GET", at, undefined, other)).body).toEqual([]);
    expect((await call("GET", `${at}/${made.body.id}/export`, undefined, other)).status).toBe(404);
    expect((await call("POST", `${at}/${made.body.id}/convert`, {}, other)).status).toBe(404);
    const viewer = await story.oven.keyFor("viewer");
    expect((await call("POST", `${at}/import`, { source }, viewer)).status).toBe(403);
  });

  it("convert nothing that cannot run", async () => {
    const { body } = await call("POST", "linear-workflows", { name: "Mail", description: "" });
    expect((await call("GET", "workflow-formats/linear")).body).toMatchObject([
      { id: body.uuid, agent_workflow_id: null },
    ]);
    expect((await call("GET", `workflow-formats/linear/${body.uuid}/export`)).body).toMatchObject({ name: "Mail" });
    expect((await call("GET", "workflow-formats/linear/7/export")).status).toBe(404);
    const refused = await call("POST", `workflow-formats/linear/${body.uuid}/convert`);
    expect(refused.body.error.code).toBe("WORKFLOW_INCOMPLETE");
  });
});

describe("a workflow that a document compiles to", () => {
  it("is changed only with its document, until it is converted", async () => {
    const { body: graph } = await call("POST", "session-graphs", GRAPH);
    const id = graph.agent_workflow_id;
    const { body: owned } = await call("GET", `agent-workflows/${id}`);
    const { definition } = owned;
    const [version] = (await call("GET", `agent-workflows/${id}/versions`)).body;
    const changes: [string, string, object][] = [
      ["PUT", `agent-workflows/${id}`, { definition }],
      ["PUT", `agent-workflows/${id}`, { agentConfig: { model: "fast" } }],
      ["PUT", `agent-workflows/${id}/draft`, { definition, baseVersion: 1, revision: 0 }],
      ["POST", `agent-workflows/${id}/versions/${version.id}/restore`, {}],
    ];
    for (const [method, path, body] of changes) {
      const { status, body: said } = await call(method, path, body);
      expect([status, said.error.code, said.error.details], path).toEqual([
        409,
        "WORKFLOW_OWNED",
        { format: "session-graph" },
      ]);
    }
    // Switching it off is no change of it.
    expect((await call("PUT", `agent-workflows/${id}`, { enabled: false })).body.enabled).toBe(false);
    await call("PUT", `agent-workflows/${id}`, { enabled: true });

    const copy = await call("POST", `workflow-formats/session-graph/${graph.graph_id}/convert`);
    expect([copy.status, copy.body.name]).toEqual([201, "Graph (canvas)"]);
    expect(copy.body.definition.meta.source).toBeUndefined();
    expect(copy.body.definition.states).toEqual(definition.states);
    const changed = await call("PUT", `agent-workflows/${copy.body.id}`, {
      definition: { ...copy.body.definition, maxSteps: 7 },
    });
    expect(changed.status).toBe(200);
    const run = await call("POST", `agent-workflows/${copy.body.id}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ status: "completed", output: { root: [{ n: 1 }] } });
    // The copy is none of the graph's sessions, and the graph is as it was.
    expect((await call("GET", `session-graphs/${graph.graph_id}/sessions`)).body).toEqual([]);
    expect((await call("GET", `agent-workflows/${id}`)).body.definition).toEqual(definition);
  });

  it("is nobody's when it is made by hand", async () => {
    const definition = {
      initial: "done",
      states: { done: { type: "final" } },
      meta: { source: { format: "session-graph" }, x: 1 },
    };
    const { body } = await call("POST", "agent-workflows", { name: "By hand", definition });
    expect(body.definition.meta).toEqual({ x: 1 });
    const changed = await call("PUT", `agent-workflows/${body.id}`, { definition });
    expect([changed.status, changed.body.definition.meta]).toEqual([200, { x: 1 }]);
  });
});

const exported = (name: string): string =>
  readFileSync(new URL(`../importers/${name.split("-")[0]}/testing/${name}`, import.meta.url), "utf8");

describe("workflows of other products", () => {
  it.each(["n8n-order-support.json", "dify-support-chat.yml", "langgraph-react.json"])(
    "are previewed with what validates: %s",
    async (name) => {
      const { status, body } = await call("POST", "workflow-imports/preview", { source: exported(name) });
      expect(status).toBe(200);
      const open = body.report.elements.filter(({ outcome }: { outcome: string }) => outcome === "placeholder");
      expect(open.length).toBeGreaterThan(0);
      // Nothing but the placeholders keeps it from being published, and each names its step.
      expect(
        body.problems.map(({ message }: { message: string }) => message.split("“")[1]?.split("”")[0]).sort(),
      ).toEqual(open.map(({ name: step }: { name: string }) => step).sort());
    },
  );

  it("become workflows that run to their end: n8n", async () => {
    const made = await call("POST", "workflow-imports", { source: exported("n8n-triage.json") });
    expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
    const at = `agent-workflows/${made.body.workflow.id}/execute?wait=20`;
    const small = await call("POST", at, { input: { body: { subject: "A REFUND please", size: 1 } } });
    expect(small.body).toMatchObject({
      status: "completed",
      output: { all: "money gets A REFUND please! money gets A REFUND please?" },
    });
    const other = await call("POST", at, { input: { body: { subject: "Hello", size: 2 } } });
    expect(other.body.output).toEqual({ all: "others gets Hello! others gets Hello?" });
    story.answers.push({ text: "We look into it.", usage: { input: 10, output: 5 } });
    const large = await call("POST", at, { input: { body: { subject: "Help", size: 10 } } });
    expect(large.body).toMatchObject({ status: "completed", output: { text: "We look into it." } });
    expect(story.asked().at(-1)).toMatchObject({ system: "Be short.", user: "Answer the ticket: Help" });
  });

  it("become workflows that run to their end: Dify", async () => {
    const made = await call("POST", "workflow-imports", { source: exported("dify-report.yml"), name: "My report" });
    expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
    expect(made.body.workflow.name).toBe("My report");
    const at = `agent-workflows/${made.body.workflow.id}/execute?wait=20`;
    story.answers.push(json({ category: "A list" }));
    const list = await call("POST", at, { input: { topic: "People", names: ["Ada", "Bob"], size: 3 } });
    expect(list.body).toMatchObject({ status: "completed", output: { report: ["0. Ada", "1. Bob"] } });
    story.answers.push(json({ category: "A text" }), { text: "A long story.", usage: { input: 10, output: 5 } });
    const text = await call("POST", at, { input: { topic: "People", names: [], size: 4 } });
    expect(text.body).toMatchObject({ status: "completed", output: { report: "A long story.", size: 4 } });
  });

  it("wait as drafts while they have placeholders", async () => {
    const made = await call("POST", "workflow-imports", { source: exported("n8n-order-support.json") });
    expect([made.status, made.body.draft]).toEqual([201, true]);
    const { id } = made.body.workflow;
    const draft = await call("GET", `agent-workflows/${id}/draft`);
    expect(draft.body.definition.states.shorten.invoke.src).toBe("core.placeholder");
    const published = await call("PUT", `agent-workflows/${id}`, { definition: draft.body.definition });
    expect([published.status, published.body.error.code]).toEqual([400, "INVALID_DEFINITION"]);
    expect(published.body.error.details.problems).toMatchObject([
      {
        path: "$.states.shorten.invoke.input",
        message:
          "core.placeholder: “Shorten” (n8n-nodes-base.code of n8n) has no equivalent: it runs code, which is never imported",
        fix: "Replace it by a node that does the same, or delete it.",
      },
    ]);
    const run = await call("POST", `agent-workflows/${id}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ status: "failed", error: expect.stringContaining("not finished") });
    expect(JSON.stringify([made.body, draft.body])).not.toContain("written-out-key");
  });

  it("are made only by those who may", async () => {
    const source = exported("n8n-triage.json");
    const viewer = await story.oven.keyFor("viewer");
    expect((await call("POST", "workflow-imports/preview", { source }, viewer)).status).toBe(403);
    expect((await call("POST", "workflow-imports", { source }, viewer)).status).toBe(403);
  });
});
