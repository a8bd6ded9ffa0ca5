import type { Database } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import {
  type Person,
  startNotifications,
  type TestClock,
  type TestNotifications,
} from "../deliveries/testing/start-notifications.ts";
import { KnownEnds } from "./known-ends.ts";
import { WorkflowNotifyRows } from "./workflow-notify-rows.ts";

const COMPLETED = { kind: "run.completed", outcome: "success" } as const;
const FAILED = { kind: "run.failed", outcome: null } as const;

describe.each(testDatabases(inject("postgresUrl")))("the end of a run on $name", ({ name, open }) => {
  const clock: TestClock = { now: new Date() };
  let database: TestDatabase;
  let server: TestNotifications;
  let person: Person;
  let workflow: number;
  beforeAll(async () => {
    database = await open();
    server = await startNotifications(clock, { db: database.db });
  });
  beforeEach(async () => {
    await database.db.query("delete from notification_rules");
    [person, workflow] = [await server.person(), await server.workflow()];
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  const later = (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
  };
  /** How a run's end stood in the outbox when its commit was answered, and what became of it. */
  const endOf = async (input: object = {}) => {
    const { run } = await server.run(workflow, input, person);
    return handedOn(run);
  };
  /** To whom the end of a run was handed; "nobody": it was written as delivered. */
  const handedOn = async (run: number) => {
    await server.settled();
    const rows = await database.db.query<{ listener: string | null }>(
      `select d.listener from outbox_events e left join outbox_deliveries d on d.event_id = e.id
       where e.order_key = 'execution:' || $1::text and e.name like 'workflows.execution.%' and e.name not like '%.started'`,
      [run],
    );
    // An event that one listener takes is delivered to all of its name, also to that of candidates.
    const own = rows.filter(({ listener }) => listener === null || listener.startsWith("module-notifications:"));
    expect(own).toHaveLength(1);
    return own[0]?.listener ?? "nobody";
  };
  const rule = (more: object = {}) =>
    server.rule({
      events: ["run.completed"],
      channel: { type: "in-app" },
      recipients: [{ kind: "user", userId: person.id }],
      ...more,
    });
  const told = async () => (await person.inbox()).length;
  const LISTENER = "module-notifications:workflows.execution";

  it("is handed to nobody once it is known that nobody is told, and a failure to whoever is told of it", async () => {
    expect([await endOf(), await endOf(), await endOf()]).toEqual([`${LISTENER}.completed`, "nobody", "nobody"]);
    expect(await endOf({ fail: "no paper" })).toBe(`${LISTENER}.failed`);
    expect(await endOf()).toBe("nobody");
    expect(await told()).toBe(1);
    // Of each workflow it is to be known.
    workflow = await server.workflow();
    expect(await endOf()).toBe(`${LISTENER}.completed`);
  });

  it("is told by a rule from the moment it is made here, and by none that is about something else", async () => {
    await endOf();
    const made = await rule();
    expect([await endOf(), await told()]).toEqual([`${LISTENER}.completed`, 1]);
    await server.oven.call("PUT", `notification-rules/${made.id}`, { ...made, events: ["run.failed"] });
    expect([await endOf(), await endOf(), await told()]).toEqual([`${LISTENER}.completed`, "nobody", 1]);
    await server.oven.call("PUT", `notification-rules/${made.id}`, { ...made, events: ["run.completed"] });
    expect([await endOf(), await told()]).toEqual([`${LISTENER}.completed`, 2]);
    await server.oven.call("DELETE", `notification-rules/${made.id}`);
    expect([await endOf(), await endOf(), await told()]).toEqual([`${LISTENER}.completed`, "nobody", 2]);
  });

  it("is told from the moment the workflow says so here, and not any more when it says otherwise", async () => {
    await endOf();
    const say = (onComplete: boolean, onFailure: boolean) =>
      server.oven.call("PUT", `workflows/${workflow}/notify`, { onComplete, onFailure });
    await say(true, false);
    expect([await endOf(), await endOf(), await told()]).toEqual([`${LISTENER}.completed`, `${LISTENER}.completed`, 2]);
    expect(await endOf({ fail: "no paper" })).toBe("nobody");
    await say(false, false);
    expect([await endOf(), await endOf(), await told()]).toEqual([`${LISTENER}.completed`, "nobody", 2]);
  });

  it.each(["a rule", "what the workflow says"])("is told by %s of another process after five seconds", async (what) => {
    await endOf();
    // As another process writes it.
    if (what === "a rule") {
      await database.db.query(
        `insert into notification_rules (tenant_id, name, scope, events, channel, recipients, timezone)
         values (1, 'Theirs', '{"kind": "all"}', '["run.completed"]', '{"type": "in-app"}', $1::jsonb, 'UTC')`,
        [JSON.stringify([{ kind: "user", userId: person.id }])],
      );
    } else {
      await database.db.query(
        `insert into workflow_notify (tenant_id, workflow_kind, workflow_id, notify_on_complete, notify_on_failure)
         values (1, 'workflow', $1, true, true)`,
        [workflow],
      );
    }
    later(4_999);
    expect([await endOf(), await told()]).toEqual(["nobody", 0]);
    later(1);
    expect([await endOf(), await told()]).toEqual([`${LISTENER}.completed`, 1]);
  });

  it("is told of whole runs only: that a part of one fails is handed to nobody", async () => {
    const definition = {
      initial: "sub",
      states: {
        sub: {
          invoke: {
            src: "core.callWorkflow",
            input: { workflow: String(workflow), input: { fail: "no paper" } },
            onDone: "done",
            onError: "done",
          },
        },
        done: { type: "final" },
      },
    };
    const made = await server.oven.call("POST", "workflows", { name: `Caller of ${workflow}`, definition });
    const { run } = await server.run(made.body.id, {}, person);
    const [child] = await database.db.query<{ id: number; status: string }>(
      "select id, status from workflow_executions where parent_id = $1",
      [run],
    );
    expect([child?.status, await handedOn(child?.id ?? 0)]).toEqual(["failed", "nobody"]);
    expect(await told()).toBe(0);
  });

  it.runIf(name === "PostgreSQL")("is told when a transaction that says so is slow to be written", async () => {
    await endOf();
    const target = { kind: "workflow" as const, workflowId: workflow };
    await database.db.transaction(async (tx) => {
      await server.service.setWorkflowNotify(1, target, { onComplete: true, onFailure: true }, tx);
      // It is read as it was, and that is not kept.
      expect(await endOf()).toBe(`${LISTENER}.completed`);
    });
    expect([await endOf(), await told()]).toEqual([`${LISTENER}.completed`, 1]);
    later(5_000);
  });

  it("is not remembered as it was read while something changed", async () => {
    const gate = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const slow: Database = Object.create(database.db, {
      query: {
        value: async (...args: Parameters<Database["query"]>) => {
          const rows = await database.db.query(...args);
          if (args[2] === "workflow-notify-of-run") reading.resolve();
          await gate.promise;
          return rows;
        },
      },
    });
    const target = { kind: "workflow" as const, workflowId: workflow };
    const ends: KnownEnds = new KnownEnds(new WorkflowNotifyRows(slow, (isJoint) => ends.forget(isJoint)), () => 0);
    const rows = new WorkflowNotifyRows(database.db, (isJoint) => ends.forget(isJoint));
    const read = ends.read(target, 1);
    await reading.promise;
    await rows.set(1, target, { onComplete: true, onFailure: false });
    gate.resolve();
    expect(await read).toMatchObject({ onComplete: false, onFailure: true });
    expect([ends.mayTell(target, 1, COMPLETED), ends.mayTell(target, 1, FAILED)]).toEqual([true, true]);
    await ends.read(target, 1);
    expect([ends.mayTell(target, 1, COMPLETED), ends.mayTell(target, 1, FAILED)]).toEqual([true, false]);
    // A run of which only a part succeeded is a failure to whoever waits for it.
    expect(ends.mayTell(target, 1, { kind: "run.completed", outcome: "partial_success" })).toBe(false);
    // Another tenant's rules are others.
    expect(ends.mayTell(target, 2, FAILED)).toBe(true);
  });
});
