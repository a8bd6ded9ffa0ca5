import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "./testing/start-triggers.ts";

const SECRET = "a-secret-of-the-tests-0123456789-abcdef";
const NEW_SECRET = "another-secret-of-the-tests-0123456789";

describe("the address of a trigger", () => {
  let triggers: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    triggers = await startTriggers(undefined);
    workflowId = await triggers.workflow("Hooked");
  });
  afterAll(() => triggers.stop());

  const make = () => triggers.make({ type: "webhook", name: "Hook", target: { kind: "workflow", workflowId } });
  const rowOf = async (id: number) => {
    const [row] = await triggers.db.query<{ tenant_id: number; token_hash: string; token_sealed: string; row: string }>(
      "select tenant_id::int, token_hash, token_sealed, t::text as row from triggers t where id = $1",
      [id],
    );
    if (row === undefined) throw new Error("no row");
    return row;
  };
  const post = async (token: string | null) =>
    (
      await triggers.oven.handle(
        new Request(`http://localhost:3000/api/hooks/${token}`, { method: "POST", body: "{}" }),
      )
    ).status;

  it("is kept as its hash and sealed, and shown again to those who may change triggers", async () => {
    const { id, token } = await make();
    const row = await rowOf(id);
    expect(row.row).not.toContain(token);
    expect(row.token_hash).toBe(createHash("sha256").update(String(token)).digest("hex"));
    expect((await triggers.oven.call("GET", `triggers/${id}`)).body.token).toBe(token);
    expect((await triggers.oven.call("GET", "triggers")).body.find((one: { id: number }) => one.id === id).token).toBe(
      token,
    );
  });

  it("does not open in another row", async () => {
    const [one, two] = [await make(), await make()];
    const { token_sealed } = await rowOf(one.id);
    await triggers.db.query("update triggers set token_sealed = $1 where id = $2", [token_sealed, two.id]);
    expect((await triggers.oven.call("GET", `triggers/${two.id}`)).body.token).toBeNull();
    expect(await post(two.token)).toBe(202);
    await triggers.oven.call("DELETE", `triggers/${two.id}`);
  });

  it("is sealed anew when the server starts with another root secret, and goes on working without the old one", async () => {
    const { id, token } = await make();
    const shown = async (oven: TestTriggers) => (await oven.oven.call("GET", `triggers/${id}`)).body.token;
    const withSecrets = async <T>(
      environment: { secret: string; previousSecrets?: string[] },
      look: (of: TestTriggers) => Promise<T>,
    ) => {
      const other = await startTriggers({ now: new Date() }, triggers.db, environment);
      const seen = await look(other);
      await other.stop();
      return seen;
    };
    const rotate = async ({ oven }: TestTriggers) => (await oven.call("POST", "secrets/rotate")).body;
    expect(await withSecrets({ secret: NEW_SECRET }, shown)).toBeNull();
    expect((await withSecrets({ secret: NEW_SECRET }, rotate)).unreadable).toContain("the address of the trigger Hook");
    const before = await rowOf(id);
    expect(await withSecrets({ secret: NEW_SECRET, previousSecrets: [SECRET] }, shown)).toBe(token);
    expect((await rowOf(id)).token_sealed).not.toBe(before.token_sealed);
    expect(await withSecrets({ secret: NEW_SECRET }, shown)).toBe(token);
    expect((await withSecrets({ secret: NEW_SECRET }, rotate)).unreadable).toEqual([]);
    expect(await post(token)).toBe(202);
  });

  it("is in no record of a run that makes or reads triggers", async () => {
    const definition = {
      initial: "make",
      states: {
        make: {
          invoke: {
            src: "triggers.triggers.create",
            input: { type: "webhook", name: "Made by a run", target: { kind: "workflow", workflowId } },
            onDone: "read",
          },
        },
        read: {
          invoke: { src: "triggers.triggers.get", input: { id: "$.make.id" }, onDone: "list" },
        },
        list: { invoke: { src: "triggers.triggers.list", onDone: "done" } },
        done: { type: "final", output: { id: "$.make.id" } },
      },
    };
    const made = await triggers.oven.call("POST", "workflows", { name: "Makes triggers", definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const run = await triggers.oven.call("POST", `workflows/${made.body.id}/execute?wait=30`, { input: {} });
    expect(run.body, JSON.stringify(run.body)).toMatchObject({ status: "completed" });
    const { token } = (await triggers.oven.call("GET", `triggers/${run.body.output.id}`)).body;
    expect(token).toHaveLength(43);
    const kept = await triggers.oven.call("GET", `workflow-executions/${run.body.id}/export`);
    expect(JSON.stringify(kept.body)).toContain("Made by a run");
    expect(JSON.stringify(kept.body)).not.toContain(token);
    const rows = await triggers.db.query<{ row: string }>("select t::text as row from run_events t");
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  });
});
