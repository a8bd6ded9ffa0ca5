import { afterAll, beforeAll, expect, it } from "vitest";
import { type LinearStory, startLinear } from "./testing/linear-story.ts";

/* Every table that a change of structure writes, of this module and of others, refuses once. */
const TABLES = [
  "linear_workflows",
  "linear_steps",
  "linear_triggers",
  "data_containers",
  "agent_workflows",
  "agent_workflow_versions",
  "triggers",
  "outbox_events",
];

let story: LinearStory;
beforeAll(async () => {
  story = await startLinear();
  await story.oven.db.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$",
  );
});
afterAll(() => story.oven.stop());

const state = async () => {
  const { db } = story.oven;
  const rows = [...TABLES, "data_container_instances"].map(async (table) => [
    table,
    await db.query(`select * from ${table} order by 1`),
  ]);
  return Object.fromEntries(await Promise.all(rows));
};

/** A change that fails in the middle, once for each of these tables, which it writes. */
async function faults(tables: readonly string[], change: () => Promise<unknown>): Promise<void> {
  const { db } = story.oven;
  const before = await state();
  for (const table of tables) {
    await db.query(
      `create trigger refuse before insert or update or delete on ${table} for each row execute function refuse()`,
    );
    await expect(change(), table).rejects.toThrow();
    await db.query(`drop trigger refuse on ${table}`);
    expect(await state(), `half of it is there when ${table} refuses`).toEqual(before);
  }
}

async function ready(name: string) {
  const workflow = await story.workflow(name);
  await story.addStep(workflow, "custom_llm", `${name} step`, "say");
  return workflow;
}

it("a step is added as a whole or not at all [000-299]", async () => {
  const { uuid } = await ready("Adding");
  const add = () => story.client.workflow.addNewStep(uuid, "custom_llm", "Added");
  await faults(["linear_workflows", "linear_steps", "data_containers", "agent_workflows", "outbox_events"], add);
  expect((await add()).steps).toHaveLength(2);
});

it("a trigger is set as a whole or not at all, its workflow with it [000-299]", async () => {
  const { uuid } = await ready("Triggering");
  const set = () => story.client.workflow.setTrigger(uuid, "webhook");
  await faults(
    TABLES.filter((table) => table !== "linear_steps"),
    set,
  );
  expect((await set()).trigger_uuid).not.toBeNull();
});

it("a workflow is deleted as a whole or not at all [000-155]", async () => {
  const { uuid } = await ready("Deleting");
  await faults(TABLES, () => story.client.workflow.delete(uuid));
  await story.client.workflow.delete(uuid);
  expect(await story.client.workflow.get(uuid)).toBeNull();
});

it("a data container is deleted with its values as a whole or not at all", async () => {
  const { dataContainer } = story.client;
  const run = await story.run(await ready("Containing"), 1);
  const { uuid } = await dataContainer.create();
  await dataContainer.createInstance(run.uuid, uuid, "kept");
  await faults(["data_containers", "data_container_instances"], () => dataContainer.delete(uuid));
  await dataContainer.delete(uuid);
  expect(await dataContainer.get(uuid)).toBeNull();
});
