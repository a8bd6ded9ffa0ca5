import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Faults } from "../../shared/testing/faults.ts";
import { graphOf, ref, type SessionStory, says, startSessions } from "./testing/session-story.ts";

/* Every table that a change of a graph writes, of this module and of others, refuses once. */
const TABLES = ["session_graphs", "agent_workflows", "agent_workflow_versions", "outbox_events"];

let db: Database;
let faults: Faults;
let story: SessionStory;
beforeAll(async () => {
  db = await createTestPglite();
  story = await startSessions({ db });
  faults = await Faults.among(db, TABLES);
});
afterAll(async () => {
  await story.oven.stop();
  await db.close();
});

const ASKS = graphOf(
  {
    root: says({ n: 1 }),
    ask: { function: "utils.request.request", input: { prompt: "Where?" } },
    end: says({ v: ref("ask.response"), n: ref("root.n") }),
  },
  [
    { from: "root", to: "ask" },
    { from: "ask", to: "end" },
  ],
);

it("a graph is made, written anew and deleted as a whole or not at all", async () => {
  const spec = { ...ASKS, workflow_id: "whole" };
  await faults.leaveNothingOf(() => story.client.create(spec));
  const { graph_id } = await story.client.create(spec);
  await faults.leaveNothingOf(() =>
    story.client.replace(graph_id, { ...spec, name: "Other", steps: { ...spec.steps, end: says() } }),
  );
  await faults.leaveNothingOf(() => story.client.delete(graph_id));
  await story.client.delete(graph_id);
  expect(await story.client.get(graph_id)).toBeNull();
});

it("a session in the taking up of which a write fails is taken up by the next try", async () => {
  const { graph_id } = await story.client.create(graphOf({ root: says() }));
  const { id } = await story.client.start(graph_id);
  const { state: before } = await story.settle(id);
  const again = { ...before, workflow: { root: { status: "active" as const } } };
  await db.query(
    "create trigger refuse before insert on executor_chain_resumes for each row execute function refuse()",
  );
  await expect(story.client.writeState(id, again)).rejects.toThrow();
  await db.query("drop trigger refuse on executor_chain_resumes");
  expect((await story.client.getSession(id))?.state.data.outputs.root).toHaveLength(1);
  await story.client.writeState(id, again);
  expect((await story.settle(id)).state.data.outputs.root).toHaveLength(2);
  // It was not run once more for the try that failed.
  expect(story.calls).toHaveLength(2);
});

it("a session that was taken up, and nobody noted it, is not taken up by another write as well", async () => {
  const { graph_id } = await story.client.create(graphOf({ root: says() }));
  const { id } = await story.client.start(graph_id);
  const { state: before } = await story.settle(id);
  const again = { ...before, workflow: { root: { status: "active" as const } } };
  await db.query(
    "create trigger refuse before insert on executor_chain_resumes for each row execute function refuse()",
  );
  await expect(story.client.writeState(id, again)).rejects.toThrow();
  await db.query("drop trigger refuse on executor_chain_resumes");
  const other = { ...again, data: { ...again.data, messages: ["other"] } };
  await expect(story.client.writeState(id, other)).rejects.toMatchObject({ code: "SESSION_CHANGED" });
  const { state: after } = await story.settle(id);
  expect([after.data.messages, after.data.outputs.root]).toEqual([[], [{}, {}]]);
  await story.client.writeState(id, { ...other, last_evaluated: after.last_evaluated });
  expect((await story.settle(id)).state.data.messages).toEqual(["other"]);
});

it("a question waits through a restart [002-072]", async () => {
  const { graph_id } = await story.client.create(ASKS);
  const { id } = await story.client.start(graph_id);
  const before = await story.settle(id);
  const { key } = story;
  await story.oven.stop();
  // Days later.
  await db.query(
    "update agent_workflow_executions set started_at = started_at - interval '9 days' where status = 'paused'",
  );
  story = await startSessions({ db });
  story.client = story.clientFor(key);
  const client = story.clientFor(key);
  expect(await client.getState(id)).toEqual(before.state);
  await client.answer(id, "ask", { response: "Bern" });
  await expect.poll(async () => (await client.getSession(id))?.status).toBe("completed");
  expect((await client.getState(id)).data.outputs.end).toEqual([{ v: "Bern", n: 1 }]);
  expect(story.calls.map(({ step }) => step)).toEqual(["end"]);
});
