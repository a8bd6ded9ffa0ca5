import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeFormat } from "../../shared/testing/format-suite.ts";
import { GOOD } from "./testing/malformed-graphs.ts";
import { type SessionStory, startSessions } from "./testing/session-story.ts";

const GRAPH = { name: "Graph", steps: { root: { function: "core.transform", input: { mapping: { n: 1 } } } } };

describeFormat({
  id: "session-graph",
  title: "Session graphs",
  document: GRAPH,
  full: GOOD.replace("test.say", "core.fail").replace('"topic"', '"message"'),
});

describe("a workflow that a document compiles to", () => {
  let story: SessionStory;
  beforeAll(async () => {
    story = await startSessions();
  });
  afterAll(() => story.oven.stop());
  const call = (method: string, path: string, body?: unknown) =>
    story.oven.call(method, path, body, { key: story.key });

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
});
