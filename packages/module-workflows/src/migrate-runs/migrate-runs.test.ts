import type { RunMigration } from "@oven/contract/run";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule, defineNode, done } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

const POLL = { interval: 10, timeout: 20_000 };
const END = { type: "final" };
const invoke = (src: string, onDone: string, input: object = {}) => ({ invoke: { src, input, onDone } });
const request = { title: "Go on?", proposal: null, actions: ["approve", "reject"] };
const asks = (onDone: string) => invoke("test.ask", onDone, { request });

describe.each(testDatabases(inject("postgresUrl")))("waiting runs, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  /** `run step`, in order. */
  const called: string[] = [];

  const call = defineNode({
    ...{ id: "test.call", version: 1, title: "Call", docs: "Calls.", category: "core", kind: "flow" },
    effect: "at-most-once",
    input: z.strictObject({}),
    output: z.strictObject({ text: z.string() }),
    run: async ({ node }) => {
      called.push(`${node.executionId} ${node.nodeId}`);
      return done({ text: node.nodeId });
    },
  });
  const stepsOf = (run: number) =>
    called.filter((entry) => entry.startsWith(`${run} `)).map((entry) => entry.split(" ")[1]);

  /** A step, a review, a step. */
  const first = {
    initial: "one",
    states: { one: invoke("test.call", "look"), look: asks("two"), two: invoke("test.call", "end"), end: END },
  };
  const make = async (name: string, definition: object = first): Promise<string> => {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return `workflows/${body.id}`;
  };
  const publish = async (path: string, definition: object): Promise<void> => {
    const { version } = (await oven.call("GET", path)).body;
    const { status, body } = await oven.call("PUT", path, { definition, version });
    expect(status, JSON.stringify(body)).toBe(200);
  };
  /** A paused run is given up by its worker a moment later. */
  const atRest = async (ids: readonly number[]): Promise<void> => {
    const held = () =>
      oven.db.query("select 1 from workflow_executions where id = any($1::bigint[]) and lease_owner is not null", [
        ids,
      ]);
    await expect.poll(held, POLL).toEqual([]);
  };
  const start = async (path: string, count: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push((await oven.call("POST", `${path}/execute?wait=30`, {})).body.id);
    await atRest(ids);
    return ids;
  };
  const runOf = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;
  const reviewOf = async (run: number): Promise<number> => {
    const [row] = await oven.db.query<{ id: number }>(
      "select id from reviews where execution_id = $1 and status = 'open'",
      [run],
    );
    return row?.id ?? 0;
  };
  const decide = (review: number) => oven.call("POST", `reviews/${review}/decide`, { action: "approve" });
  const settled = async (path: string, id: number, status: string): Promise<RunMigration> => {
    const look = async () => (await oven.call("GET", `${path}/migrations/${id}`)).body;
    await expect.poll(async () => (await look()).status, POLL).toBe(status);
    return look();
  };
  const migrate = async (path: string, body: object = {}): Promise<RunMigration> => {
    const begun = await oven.call("POST", `${path}/migrations`, body);
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
    return settled(path, begun.body.id, "done");
  };
  const events = (run: number) =>
    oven.db.query<{ event: string; fields: Record<string, unknown> }>(
      "select event, fields from run_events where execution_id = $1 order by seq",
      [run],
    );

  beforeAll(async () => {
    database = await open();
    const tests = defineModule({
      ...{ name: "module-test", namespace: "test", description: "Nodes of the test.", dependencies: [] },
      nodes: [call, ask],
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  it("move where they stand, end on the new version, and their reviews are decided once", async () => {
    const path = await make("Same");
    const ids = await start(path, 3);
    await publish(path, {
      ...first,
      states: { one: first.states.one, look: asks("three"), three: invoke("test.call", "end"), end: END },
    });
    const version = (await oven.call("GET", path)).body.version;
    expect((await oven.call("GET", `${path}/migrations/waiting`)).body).toEqual({ count: 3, version });
    const { body: plan } = await oven.call("POST", `${path}/migrations/plan`, {});
    expect(plan).toMatchObject({ version, total: 3, counts: { same: 3, cannot: 0 } });
    expect(plan.groups).toMatchObject([{ version: 1, states: ["look"], executionIds: ids, verdict: "same" }]);
    expect((await runOf(ids[0] ?? 0)).workflowVersion).toBe(1);

    const before = await Promise.all(ids.map(reviewOf));
    expect(await migrate(path)).toMatchObject({ status: "done", undoable: 3, counts: { moved: 3, skipped: 0 } });
    expect(await Promise.all(ids.map(reviewOf))).toEqual(before);
    for (const id of ids) expect(await runOf(id)).toMatchObject({ workflowVersion: version, status: "paused" });
    expect((await events(ids[0] ?? 0)).at(-1)).toMatchObject({
      event: "execution.migrated",
      fields: { from: 1, to: version },
    });
    for (const review of before) {
      const answers = await Promise.all([decide(review), decide(review)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    for (const id of ids) {
      await expect.poll(async () => (await runOf(id)).status, POLL).toBe("completed");
      expect(stepsOf(id)).toEqual(["one", "three"]);
    }
    const replay = await oven.call("POST", `workflow-executions/${ids[0]}/replay`);
    expect(replay.body).toMatchObject({ same: true });
    expect((await oven.call("GET", `${path}/migrations`)).body).toMatchObject([{ status: "done", undoable: 0 }]);
  });

  it("need a mapping for a renamed state, take it, and stay where nothing fits", async () => {
    const path = await make("Renamed");
    const [id = 0] = await start(path, 1);
    const states = { one: invoke("test.call", "check"), check: asks("two"), two: invoke("test.call", "end"), end: END };
    await publish(path, { initial: "one", states });
    const { body: plan } = await oven.call("POST", `${path}/migrations/plan`, {});
    expect(plan.groups).toMatchObject([
      { verdict: "mapping", unplaced: [{ stateId: "look", proposals: [{ stateId: "check" }] }] },
    ]);
    const refused = await oven.call("POST", `${path}/migrations`, {});
    expect([refused.status, refused.body.error.code]).toEqual([409, "NOTHING_TO_MOVE"]);
    await migrate(path, { mapping: { look: "check" } });
    expect(await runOf(id)).toMatchObject({ currentState: "check", checkpoint: { waiting: [{ nodeId: "check" }] } });
    expect((await oven.call("GET", `reviews/${await reviewOf(id)}`)).body.nodeId).toBe("check");
    await decide(await reviewOf(id));
    await expect.poll(async () => (await runOf(id)).status, POLL).toBe("completed");
    const nodes = (await runOf(id)).nodes.map(({ nodeId, status }: { nodeId: string; status: string }) => [
      nodeId,
      status,
    ]);
    expect(nodes).toEqual([
      ["one", "completed"],
      ["check", "completed"],
      ["two", "completed"],
    ]);

    const other = await make("Other");
    await start(other, 1);
    await publish(other, { initial: "one", states: { one: invoke("test.call", "end"), end: END } });
    const { body } = await oven.call("POST", `${other}/migrations/plan`, {});
    expect(body).toMatchObject({ counts: { cannot: 1 }, groups: [{ problems: [{ stateId: "look" }] }] });
  });

  it("go back as they were until a worker takes them up, and stay when one has", async () => {
    const path = await make("Undone");
    const [moved = 0, gone = 0] = await start(path, 2);
    const was = await runOf(moved);
    const states = { one: invoke("test.call", "check"), check: asks("end"), end: END };
    await publish(path, { initial: "one", states });
    const migration = await migrate(path, { mapping: { look: "check" } });
    await decide(await reviewOf(gone));
    await expect.poll(async () => (await runOf(gone)).status, POLL).toBe("completed");
    expect((await oven.call("GET", `${path}/migrations/${migration.id}`)).body.undoable).toBe(1);
    expect((await oven.call("POST", `${path}/migrations/${migration.id}/undo`)).status).toBe(202);
    expect(await settled(path, migration.id, "undone")).toMatchObject({
      counts: { moved: 0, undone: 1, stayed: 1 },
      skipped: [{ executionId: gone, reason: "It has gone on since" }],
    });
    const is = await runOf(moved);
    expect({ ...is, checkpoint: null }).toEqual({ ...was, checkpoint: null });
    expect(is.checkpoint.waiting).toEqual(was.checkpoint.waiting);
    const again = await oven.call("POST", `${path}/migrations/${migration.id}/undo`);
    expect([again.status, again.body.error.code]).toEqual([409, "MIGRATION_UNDONE"]);
    await decide(await reviewOf(moved));
    await expect.poll(async () => (await runOf(moved)).status, POLL).toBe("completed");
    expect(stepsOf(moved)).toEqual(["one", "two"]);
    expect(stepsOf(gone)).toEqual(["one"]);
  });

  it("are not moved by those who may not, nor past a review without the right to", async () => {
    const path = await make("Guarded");
    await start(path, 1);
    const editor = await invite(oven, "editor@example.com", ["editor"]);
    const { status } = await oven.call("POST", `${path}/migrations/plan`, {}, editor);
    expect(status).toBe(403);
    expect((await oven.call("POST", `${path}/migrations`, {}, editor)).status).toBe(403);

    const twice = {
      initial: "first",
      states: { first: asks("second"), second: asks("two"), two: invoke("test.call", "end"), end: END },
    };
    const reviewed = await make("Reviewed twice", twice);
    const [id = 0] = await start(reviewed, 1);
    await decide(await reviewOf(id));
    await expect.poll(async () => (await runOf(id)).currentState, POLL).toBe("second");
    await atRest([id]);
    await publish(reviewed, {
      ...twice,
      states: { ...twice.states, two: invoke("core.log", "end", { message: "hi" }) },
    });
    const { body: plan } = await oven.call("POST", `${reviewed}/migrations/plan`, {});
    expect(plan.groups).toMatchObject([{ verdict: "same", passedReviews: ["first"] }]);
    const admin = await invite(oven, "admin@example.com", ["admin"]);
    const permissions = ["executions.migrate", "executions.read", "workflows.read"];
    const { key } = (await oven.call("POST", "api-keys", { name: "Moves", permissions }, admin)).body;
    const past = await oven.call("POST", `${reviewed}/migrations`, {}, { key });
    expect([past.status, past.body.error.code]).toEqual([403, "REVIEW_PASSED_OVER"]);
    expect((await oven.call("GET", `${reviewed}/migrations`)).body).toEqual([]);
    await migrate(reviewed);
    const trail = await oven.db.query<{ action: string }>(
      "select action from audit_log where action like 'executions.override%'",
    );
    expect(trail).toMatchObject([{ action: "executions.override first" }]);
  });

  it("lose nothing and are decided once, whatever is decided while they move and move back", async () => {
    let round = 0;
    const letters = fc.array(fc.constantFrom("r", "c"), { minLength: 0, maxLength: 3 });
    const chain = (kinds: readonly string[], name: (index: number) => string) => ({
      initial: name(0),
      states: Object.fromEntries([
        ...kinds.map((kind, index) => {
          const next = index + 1 < kinds.length ? name(index + 1) : "end";
          return [name(index), kind === "r" ? asks(next) : invoke("test.call", next)];
        }),
        ["end", END],
      ]),
    });
    await fc.assert(
      fc.asyncProperty(
        letters,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 6 }),
        async (list, renames, undoes, late) => {
          round += 1;
          const kinds = ["c", ...list, "r", "c"];
          const name = (index: number) => (renames ? `t${index}` : `s${index}`);
          const path = await make(
            `Random ${round}`,
            chain(kinds, (index) => `s${index}`),
          );
          const ids = await start(path, 6);
          await publish(path, { ...chain(kinds, name), description: "changed" });
          const mapping = renames ? Object.fromEntries(kinds.map((_, index) => [`s${index}`, `t${index}`])) : {};
          const begun = await oven.call("POST", `${path}/migrations`, { mapping });
          const answers = new Map<number, number>();
          const decideAll = async (which: readonly number[]) => {
            await Promise.all(
              which.map(async (id) => {
                const review = await reviewOf(id);
                if (review === 0) return;
                const given = await Promise.all([decide(review), decide(review)]);
                const taken = given.filter(({ status }) => status === 200).length;
                answers.set(review, (answers.get(review) ?? 0) + taken);
              }),
            );
          };
          await decideAll(ids.slice(0, late));
          if (undoes) await oven.call("POST", `${path}/migrations/${begun.body.id}/undo`);
          const isOver = async () => {
            await decideAll(ids);
            const runs = await Promise.all(ids.map(runOf));
            return runs.every(({ status }) => status === "completed");
          };
          await expect.poll(isOver, POLL).toBe(true);
          await settled(path, begun.body.id, undoes ? "undone" : "done");
          expect([...answers.values()].every((count) => count <= 1)).toBe(true);
          const calls = kinds.filter((kind) => kind === "c").length;
          for (const id of ids) {
            const steps = stepsOf(id).map((step) => step?.slice(1));
            // Each step once and in order, by whichever name it had then.
            expect(steps).toEqual(kinds.flatMap((kind, index) => (kind === "c" ? [String(index)] : [])));
            expect(steps).toHaveLength(calls);
          }
          const [{ count } = { count: 0 }] = await oven.db.query<{ count: number }>(
            "select count(*)::int as count from run_migration_items where migration_id = $1",
            [begun.body.id],
          );
          expect(count).toBe(6);
        },
      ),
      { numRuns: 6 },
    );
  });
});
