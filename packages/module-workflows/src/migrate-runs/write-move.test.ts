import { createRuntime, createSystemModule, defineModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { createWorkflowsModule } from "../workflows.module.ts";
import { lockWaiting, type Standing } from "./write-move.ts";

const POLL = { interval: 10, timeout: 20_000 };
const RUN = { kind: REGULAR, tables: regularTables };

let oven: TestOven;
let standing: Standing;
const lock = (given: Partial<Standing> = {}) =>
  oven.db.transaction(async (tx) => (await lockWaiting(tx, RUN, { ...standing, ...given })) !== undefined);

beforeAll(async () => {
  const tests = defineModule({
    ...{ name: "module-test", namespace: "test", description: "A node that asks.", dependencies: [] },
    nodes: [ask],
  });
  const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
  oven = await startTestOven({ createRuntime, modules });
  const request = { title: "Go on?", proposal: null, actions: ["approve"] };
  const look = { invoke: { src: "test.ask", input: { request }, onDone: "end" } };
  const definition = { initial: "look", states: { look, end: { type: "final" } } };
  const { id } = (await oven.call("POST", "workflows", { name: "Locked", definition })).body;
  const run = (await oven.call("POST", `workflows/${id}/execute?wait=30`, {})).body.id;
  const readRun = () =>
    oven.db.query<Standing & Record<string, unknown>>(
      `select id, tenant_id as "tenantId", epoch, seq, workflow_version as version from workflow_executions
       where id = $1 and lease_owner is null and status = 'paused'`,
      [run],
    );
  standing = await vi.waitFor(async () => {
    const [found] = await readRun();
    if (found === undefined) throw new Error("its worker has not given it up yet");
    return found;
  }, POLL);
});
afterAll(() => oven.stop());

it("locks a waiting run as it was read, and none that has moved on, is on another version, or that a worker has", async () => {
  expect(await lock()).toBe(true);
  expect(await lock({ epoch: standing.epoch + 1 })).toBe(false);
  expect(await lock({ seq: standing.seq - 1 })).toBe(false);
  expect(await lock({ version: standing.version + 1 })).toBe(false);
  const own = (owner: string | null) =>
    oven.db.query("update workflow_executions set lease_owner = $2 where id = $1", [standing.id, owner]);
  await own("a worker that is gone");
  expect(await lock()).toBe(false);
  await own(null);
  expect(await lock()).toBe(true);
});

it("locks no run that has a message to look at: that comes first", async () => {
  // Written beside the store: no worker is woken for it before the lock is tried.
  const tried = await oven.db.transaction(async (tx) => {
    await tx.query(
      `insert into run_signals (execution_id, tenant_id, type, data, dedupe_key) values ($1, 1, 'event', '{"event":"x","payload":null,"correlation":null}', 'test')`,
      [standing.id],
    );
    return (await lockWaiting(tx, RUN, standing)) !== undefined;
  });
  expect(tried).toBe(false);
});
