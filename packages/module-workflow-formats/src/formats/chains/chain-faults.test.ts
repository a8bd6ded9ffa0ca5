import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { json } from "../../shared/testing/scripted-model.ts";
import { type ChainStory, chainOf, executor, startChains } from "./testing/chain-story.ts";

/* Every table that a change of a chain writes, of this module and of others, refuses once. */
const TABLES = [
  "executor_chains",
  "agent_workflows",
  "agent_workflow_versions",
  "triggers",
  "workflow_notify",
  "outbox_events",
];

let db: Database;
let story: ChainStory;
beforeAll(async () => {
  db = await createTestPglite();
  story = await startChains({ db });
  await db.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$",
  );
});
afterAll(async () => {
  await story.oven.stop();
  await db.close();
});

const state = async () => {
  const rows = TABLES.map(async (table) => [table, await db.query(`select * from ${table} order by 1`)]);
  return Object.fromEntries(await Promise.all(rows));
};

/** A change that fails in the middle, once for each of the tables that it writes. */
async function faults(tables: readonly string[], change: () => Promise<unknown>): Promise<void> {
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

it("a chain is made, scheduled, written anew and deleted as a whole or not at all [001-182] [001-183] [001-070]", async () => {
  const spec = chainOf([executor("one")], {
    workflow_id: "whole",
    schedule_type: "recurring",
    cron_expression: "0 9 * * *",
  });
  await faults(TABLES, () => story.client.create(spec));
  const { workflow_id: id } = await story.client.create(spec);
  await faults(["executor_chains", "triggers"], () =>
    story.client.schedule(id, { schedule_type: "recurring", cron_expression: "0 10 * * *" }),
  );
  await faults(TABLES, () => story.client.replace(id, { ...spec, name: "Other", executors: [executor("two")] }));
  expect(await story.client.replace(id, { ...spec, name: "Other", executors: [executor("two")] })).toMatchObject({
    workflow_id: id,
    name: "Other",
  });
  await faults(["executor_chains", "agent_workflows", "triggers"], () => story.client.setStatus(id, "paused"));
  await faults(
    TABLES.filter((table) => table !== "workflow_notify"),
    () => story.client.delete(id),
  );
  await story.client.delete(id);
  expect(await story.client.get(id)).toBeNull();
});

it("a run is resumed after a restart where it failed [001-175]", async () => {
  story.answers.push(json({ ok: true }), { status: 400, message: "once" });
  const failed = await story.run(chainOf([executor("one"), executor("two")]));
  expect(failed.status).toBe("partial_success");
  const { key } = story;
  await story.oven.stop();
  story = await startChains({ db });
  const client = story.clientFor(key);
  await client.resumeRun(failed.run_id);
  await expect.poll(async () => (await client.getRun(failed.run_id))?.status).toBe("completed");
  expect(story.asked().map(({ system }) => system)).toEqual(["You are two."]);
});
