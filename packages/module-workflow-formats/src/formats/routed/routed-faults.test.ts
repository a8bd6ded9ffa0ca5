import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Faults } from "../../shared/testing/faults.ts";
import { type RoutedStory, startRouted } from "./testing/routed-story.ts";
import { TWO_N_CHAT } from "./testing/two-n-chat.ts";

let db: Database;
let faults: Faults;
let story: RoutedStory;
beforeAll(async () => {
  db = await createTestPglite();
  story = await startRouted({ db });
  const tables = ["routed_graphs", "agent_workflows", "agent_workflow_versions", "outbox_events"];
  faults = await Faults.among(db, tables);
});
afterAll(async () => {
  await story.oven.stop();
  await db.close();
});

it("a graph is made, put anew and deleted as a whole or not at all [003-025]", async () => {
  const source = JSON.stringify(TWO_N_CHAT);
  await faults.leaveNothingOf(() => story.client.import(source, true));
  const { agentWorkflowId, version, createdAt, updatedAt, ...spec } = await story.client.import(source, true);
  const without = { ...spec, edges: spec.edges.filter(({ id }) => id !== "edge-uuid-7" && id !== "edge-uuid-8") };
  const agents = {
    ...without,
    nodes: without.nodes.map((node) => (node.nodeName === "RC2" ? { ...node, agentId: "plain" } : node)),
  };
  await faults.leaveNothingOf(() => story.client.put(agents));
  expect((await story.client.get("2nChat"))?.version).toBe(version);
  await faults.leaveNothingOf(() => story.client.delete("2nChat"));
  await story.client.delete("2nChat");
  expect(await story.client.list()).toEqual([]);
  expect([agentWorkflowId, createdAt, updatedAt]).not.toContain(undefined);
});
