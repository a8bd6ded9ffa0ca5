import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "./testing/import-story.ts";

const document = {
  nodes: [{ id: "__start__" }, { id: "agent" }, { id: "__end__" }],
  edges: [
    { source: "__start__", target: "agent" },
    { source: "agent", target: "__end__" },
  ],
};

describe("imports of workflows of other products", () => {
  let story: ImportStory;
  beforeAll(async () => {
    story = await startImports();
  });
  afterAll(() => story.stop());

  it("are made only by those who may", async () => {
    const viewer = await story.oven.keyFor("viewer");
    for (const path of ["workflow-imports/preview", "workflow-imports"])
      expect((await story.oven.call("POST", path, { source: "{}" }, { key: viewer })).status, path).toBe(403);
  });

  it.each(["agent-workflow", "workflow"])("leave their report with the %s, until it is deleted", async (kind) => {
    const { body: made } = await story.call("POST", "workflow-imports", { source: JSON.stringify(document), kind });
    const path = `workflow-imports?kind=${kind}&workflowId=${made.workflow.id}`;
    const { status, body } = await story.call("GET", path);
    expect([status, body]).toEqual([
      200,
      [
        {
          ...{
            kind,
            workflowId: made.workflow.id,
            product: "langgraph",
            productTitle: "LangGraph",
            report: made.report,
            originals: { agent: { data: null, metadata: null } },
          },
          createdAt: expect.any(String),
        },
      ],
    ]);
    expect((await story.call("DELETE", `${kind}s/${made.workflow.id}`)).status).toBe(204);
    expect((await story.call("GET", path)).status).toBe(404);
    // The event of the deletion is handled behind it.
    await expect
      .poll(() =>
        story.oven.db.query("select 1 from workflow_imports where kind = $1 and workflow_id = $2", [
          kind,
          made.workflow.id,
        ]),
      )
      .toEqual([]);
  });

  it("answer nothing for a workflow that was not imported, and 404 for one that cannot be seen", async () => {
    const definition = { initial: "done", states: { done: { type: "final" } } };
    const { body: own } = await story.call("POST", "agent-workflows", { name: "Drawn", definition });
    expect((await story.call("GET", `workflow-imports?workflowId=${own.id}`)).body).toEqual([]);
    expect((await story.call("GET", "workflow-imports?workflowId=999999")).status).toBe(404);
  });
});
