import { afterAll, beforeAll, expect, it } from "vitest";
import { expectOnlyPlaceholdersOpen, type ImportStory, startImports } from "./testing/import-story.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const node = (name: string, type: string) => ({ name, type, parameters: {} });
const EMPTY = {
  n8n: {
    name: "Hook",
    nodes: [
      node("Hook", "n8n-nodes-base.manualTrigger"),
      node("Memory", "@n8n/n8n-nodes-langchain.memoryBufferWindow"),
      node("Agent", "@n8n/n8n-nodes-langchain.agent"),
    ],
    connections: {
      Hook: { main: [[{ node: "Memory", type: "main", index: 0 }]] },
      Memory: { ai_memory: [[{ node: "Agent", type: "ai_memory", index: 0 }]] },
    },
  },
  Dify: {
    kind: "app",
    app: { name: "Nothing", mode: "workflow" },
    workflow: {
      graph: {
        nodes: [
          { id: "start", data: { type: "start", title: "Start" } },
          { id: "note", type: "custom-note", data: { type: "", title: "", text: "Begin here" } },
        ],
        edges: [{ source: "start", target: "note", sourceHandle: "source" }],
      },
    },
  },
};

it.each(Object.entries(EMPTY))(
  "a document of which nothing became a step is a draft that says so: %s",
  async (product, document) => {
    const source = JSON.stringify(document);
    await expectOnlyPlaceholdersOpen(story, source);
    const { status, body } = await story.call("POST", "workflow-imports", { source });
    expect([status, body.draft]).toEqual([201, true]);
    expect(body.problems).toMatchObject([
      { message: expect.stringContaining(`of ${product}) has no equivalent: nothing of the document became a step`) },
    ]);
    const run = await story.call("POST", `agent-workflows/${body.workflow.id}/execute?wait=20`, {
      input: { message: "x" },
    });
    expect(run.body).toMatchObject({ status: "failed", error: expect.stringContaining("is not finished") });
  },
);
