import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChainStory, chainOf, executor, startChains } from "../chains/testing/chain-story.ts";

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
      { format: "linear", title: "Linear workflows", importable: false },
      { format: "executor-chain", title: "Executor chains", importable: true },
      { format: "session-graph", title: "Session graphs", importable: true },
      { format: "routed-graph", title: "Routed graphs", importable: true },
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

  it("of steps has no document as text, and converts nothing that cannot run", async () => {
    const { body } = await call("POST", "linear-workflows", { name: "Mail", description: "" });
    expect((await call("GET", "workflow-formats/linear")).body).toMatchObject([
      { id: body.uuid, agent_workflow_id: null },
    ]);
    expect((await call("GET", `workflow-formats/linear/${body.uuid}/export`)).body).toMatchObject({ name: "Mail" });
    expect((await call("GET", "workflow-formats/linear/7/export")).status).toBe(404);
    expect((await call("POST", "workflow-formats/linear/import", { source: "{}" })).status).toBe(422);
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
