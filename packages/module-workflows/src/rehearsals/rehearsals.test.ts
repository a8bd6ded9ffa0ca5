import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("past runs on a draft, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let shop: Server;
  let origin: string;
  /** Paths that were asked. */
  const asked: string[] = [];
  let path: string;
  const ids: number[] = [];

  const order = (limit: number, more: object = {}) => ({
    initial: "read",
    states: {
      read: {
        invoke: { src: "core.http", input: { url: `${origin}/orders/{{$.trigger.id}}` }, onDone: "total" },
      },
      total: {
        invoke: {
          src: "core.transform",
          input: { mapping: { sum: "$.read_output.body.sum" } },
          onDone: [
            { target: "note", guard: { type: "cel", params: { expression: `output.sum > ${limit}.0` } } },
            "small",
          ],
        },
      },
      note: {
        invoke: {
          src: "core.http",
          input: { url: `${origin}/note/{{$.trigger.id}}`, method: "POST" },
          onDone: "large",
        },
      },
      large: { type: "final", outcome: "large", output: { sum: "$.total_output.sum" } },
      small: { type: "final", outcome: "small", output: { sum: "$.total_output.sum" } },
    },
    ...more,
  });
  const rehearse = async (body: object, key?: string | null) =>
    oven.call("POST", `${path}/rehearse`, body, key === undefined ? {} : { key });

  beforeAll(async () => {
    shop = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ sum: Number(request.url?.split("/").at(-1)) * 10 }));
    });
    shop.listen(0, "127.0.0.1");
    await once(shop, "listening");
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db, environment: { outboundAllow: [origin] } });
    const { body } = await oven.call("POST", "workflows", { name: "Orders", definition: order(25) });
    expect(body.error).toBeUndefined();
    path = `workflows/${body.id}`;
    for (const id of [1, 2, 3, 4]) {
      const run = await oven.call("POST", `${path}/execute?wait=30`, { input: { id } });
      expect(run.body).toMatchObject({ status: "completed", outcome: id > 2 ? "large" : "small" });
      ids.push(run.body.id);
    }
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
    shop.close();
  });

  it("come out the same on the published definition, and nothing outside is called", async () => {
    const before = asked.length;
    const { status, body } = await rehearse({});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      counts: { same: 4, outcome: 0, calls: 0, path: 0, unknown: 0, skipped: 0 },
      next: null,
    });
    expect(body.runs.map(({ executionId }: { executionId: number }) => executionId)).toEqual(ids.toReversed());
    expect(asked).toHaveLength(before);
  });

  it("are read from the draft, page by page, and say which end otherwise, with the calls that are left out", async () => {
    await oven.call("PUT", `${path}/draft`, { definition: order(35), baseVersion: 1, revision: 0 });
    const first = await rehearse({ limit: 2 });
    expect(first.body).toMatchObject({
      counts: { same: 1, outcome: 1 },
      next: ids[2],
      runs: [
        { executionId: ids[3], verdict: "same", end: null },
        {
          executionId: ids[2],
          verdict: "outcome",
          end: { was: { outcome: "large", output: '{"sum":30}' }, is: { outcome: "small", output: '{"sum":30}' } },
          calls: { added: [], missing: [{ nodeId: "note", src: "core.http" }] },
        },
      ],
    });
    const second = await rehearse({ limit: 2, before: first.body.next });
    expect(second.body).toMatchObject({ counts: { same: 2 }, next: null });
  });

  it("are not known where a call was never made, and the call is named", async () => {
    const { body } = await rehearse({ definition: order(15), limit: 3 });
    expect(body.counts).toMatchObject({ same: 2, unknown: 1 });
    expect(body.runs[2]).toMatchObject({
      executionId: ids[1],
      unknown: { reason: "new-call", nodeId: "note" },
      calls: { added: [{ nodeId: "note", visit: 1 }] },
    });
    expect(body.runs[2].calls.added[0].input).toContain(`${origin}/note/2`);
  });

  it("are refused with what is wrong in a definition, and to those who may not read runs", async () => {
    const broken = await rehearse({ definition: order(15, { initial: "nowhere" }) });
    expect(broken).toMatchObject({ status: 400, body: { error: { code: "INVALID_DEFINITION" } } });
    const { body: key } = await oven.call("POST", "api-keys", {
      name: "writer",
      permissions: ["workflows.update", "workflows.read"],
    });
    expect(await rehearse({}, key.key)).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    expect((await rehearse({ limit: 201 })).status).toBe(400);
  });

  it("are shown step by step beside what they come to, with what differs in each step", async () => {
    const { body } = await oven.call("POST", `${path}/rehearse/${ids[2]}`, {});
    expect(body).toMatchObject({
      run: { executionId: ids[2], verdict: "outcome", seen: false },
      ends: { was: { outcome: "large" }, is: { outcome: "small" } },
      more: 0,
      draftRevision: 1,
      seenBy: [],
    });
    expect(body.pairs.map(({ nodeId, change }: Record<string, string>) => [nodeId, change])).toEqual([
      ["read", "same"],
      ["total", "same"],
      ["note", "missing"],
    ]);
    expect(body.pairs[0]).toMatchObject({
      was: {
        src: "core.http",
        input: { url: `${origin}/orders/3` },
        output: { body: { sum: 30 } },
        status: "completed",
      },
      is: { output: { body: { sum: 30 } } },
    });
    const other = order(25);
    other.states.total.invoke.input.mapping = { sum: "$.read_output.body.sum", more: 1 } as never; // cast: another input
    const changed = await oven.call("POST", `${path}/rehearse/${ids[2]}`, { definition: other });
    expect(changed.body.pairs[1]).toMatchObject({
      nodeId: "total",
      change: "changed",
      differs: ["input", "output"],
      was: { output: { sum: 30 } },
      is: { output: { sum: 30, more: 1 } },
    });
    const cut = await oven.call("POST", `${path}/rehearse/${ids[1]}`, { definition: order(15) });
    expect(cut.body.pairs.at(-1)).toMatchObject({
      nodeId: "note",
      change: "unknown",
      was: null,
      is: { status: "running" },
    });
    expect((await oven.call("POST", `${path}/rehearse/999999`, {})).status).toBe(404);
  });

  it("are marked as seen by a person, on this definition alone, and by a person alone", async () => {
    const shown = (await oven.call("POST", `${path}/rehearse/${ids[2]}`, {})).body;
    const seeing = { draftRevision: 1, digest: shown.run.digest };
    const see = (body: object, options?: Parameters<TestOven["call"]>[3]) =>
      oven.call("POST", `${path}/rehearse/${ids[2]}/seen`, body, options);
    expect(await see(seeing)).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    const person = await invite(oven, "pat@example.com", ["editor"]);
    expect(await see({ ...seeing, digest: "0".repeat(64) }, person)).toMatchObject({
      status: 409,
      body: { error: { code: "SHOWN_CHANGED" } },
    });
    expect(await see({ ...seeing, draftRevision: 7 }, person)).toMatchObject({
      status: 409,
      body: { error: { code: "STALE_DRAFT" } },
    });
    expect(await see(seeing, person)).toMatchObject({
      status: 200,
      body: { run: { seen: true }, seenBy: [{ draftRevision: 1 }] },
    });
    expect((await see(seeing, person)).body.seenBy).toHaveLength(1);
    const listed = await rehearse({});
    expect(listed.body.runs.map(({ seen }: { seen: boolean }) => seen)).toEqual([false, true, false, false]);
    const { states } = order(35);
    const renamed = {
      initial: "read",
      states: { ...states, read: { ...states.read, meta: { position: { x: 9, y: 9 } } } },
    };
    expect((await rehearse({ definition: renamed })).body.runs[1].seen).toBe(true);
    expect((await rehearse({ definition: order(36) })).body.runs[1]).toMatchObject({ verdict: "outcome", seen: false });
  });

  it("are of no dataset where no module has any", async () => {
    expect(await rehearse({ dataset: "orders" })).toMatchObject({ status: 404 });
  });

  it("that were tests are left out", async () => {
    await oven.call("POST", `${path}/draft/execute?wait=30`, { input: { id: 9 } });
    const { body } = await rehearse({ definition: order(25), status: "failed" });
    expect(body).toMatchObject({ counts: { same: 0, skipped: 0 }, runs: [] });
    const all = await rehearse({ definition: order(25) });
    expect(all.body.runs).toHaveLength(4);
  });

  it("say since when there are recordings", async () => {
    const { body } = await rehearse({ limit: 1 });
    expect(body.recordings).toEqual({ since: expect.stringMatching(/^\d{4}-/), removed: 0 });
    await database.db.system.query(
      `update workflow_executions set context_seq = -2, context = '{"detailsRemoved": {"at": "2026-01-01T00:00:00Z", "afterDays": 1}}' where id = $1`,
      [ids[0]],
    );
    const after = await rehearse({});
    expect(after.body).toMatchObject({
      recordings: { removed: 1 },
      counts: { skipped: 1 },
      skipped: [{ executionId: ids[0], reason: "DETAILS_REMOVED" }],
      casesWithoutRun: null,
    });
    expect(after.body.recordings.since >= body.recordings.since).toBe(true);
  });
});
