import { readFileSync } from "node:fs";
import type { Principal } from "@oven/contract";
import type { NewChainSpec } from "@oven/contract/formats/chains.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { json } from "../../shared/testing/scripted-model.ts";
import { type ChainStory, call, chainOf, executor, startChains } from "./testing/chain-story.ts";
import { GOOD, MALFORMED } from "./testing/malformed-chains.ts";

/** A Friday. */
const clock = { now: new Date("2026-11-20T12:00:00Z") };
let story: ChainStory;
beforeAll(async () => {
  story = await startChains({ triggers: { clock: async () => new Date(clock.now) } });
});
afterEach(() => {
  story.oven.server.requests.length = 0;
  story.answers.length = 0;
});
afterAll(() => story.oven.stop());

const HOUR = 3_600_000;
/** All that is due within so many hours. */
async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    clock.now = new Date(clock.now.getTime() + HOUR);
    await story.services.triggers.tick();
  }
}
const count = async (table: string) =>
  (await story.oven.db.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? 0;

describe("a chain", () => {
  it("is read back as it was written, with defaults for what was left out [001-008] [001-009] [001-010] [001-011] [001-014] [001-015] [001-019] [001-020] [001-021] [001-022] [001-023] [001-027] [001-028] [001-047] [001-048] [001-049] [001-050] [001-051] [001-052] [001-053] [001-054] [001-055] [001-056] [001-065] [001-066] [001-067] [001-178]", async () => {
    const spec: NewChainSpec = chainOf(
      [executor("one"), executor("two", { loop: { type: "for_each" }, description: "Two" })],
      {
        workflow_id: "daily_price_monitor",
        notify_on_complete: true,
      },
    );
    const chain = await story.client.create(spec);
    expect(chain).toMatchObject({
      id: expect.any(Number),
      workflow_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: "daily_price_monitor",
      user_id: expect.stringMatching(/^\d+$/),
      thread_id: expect.stringMatching(/^user-\d+$/),
      ...{ name: "A chain", description: "A test", schedule_type: "immediate", status: "active" },
      ...{ tool_manifest_hash: chain.tool_manifest_json.hash, tool_manifest_version: chain.tool_manifest_json.version },
      ...{ total_runs: 0, successful_runs: 0, failed_runs: 0, next_run_time: null },
      ...{ notify_on_complete: true, notify_on_failure: true },
    });
    expect(Date.parse(chain.updated_at)).toBeGreaterThanOrEqual(Date.parse(chain.created_at));
    expect(chain.executors[0]).toEqual({ ...executor("one"), description: "", iteration_hint: null, loop: null });
    expect(chain.executors[1]?.loop).toEqual({
      type: "for_each",
      input_path: null,
      max_items: null,
      max_iters: null,
      predicate_path: null,
      predicate_value: null,
    });
    for (const id of ["daily_price_monitor", chain.workflow_id]) expect(await story.client.get(id)).toEqual(chain);
    await expect(story.client.create(spec)).rejects.toMatchObject({ code: "SLUG_TAKEN", path: "$.workflow_id" });
    for (const key of ["executor_id", "name", "model", "system_prompt", "output_schema", "tools"]) {
      const { [key]: _, ...rest } = executor("one") as Record<string, unknown>;
      const body = { ...chainOf([]), executors: [rest] } as never; // cast: wrong on purpose
      await expect(story.client.create(body)).rejects.toMatchObject({ path: `$.executors[0].${key}` });
    }
    for (const key of ["name", "description", "executors"]) {
      const { [key]: _, ...rest } = spec as unknown as Record<string, unknown>; // cast: any of its keys
      await expect(story.client.create(rest as never)).rejects.toMatchObject({ path: `$.${key}` }); // cast: wrong on purpose
    }
    const exported = await story.client.export(chain.slug);
    await story.client.delete(chain.slug);
    expect(await story.client.get(chain.workflow_id)).toBeNull();
    const again = await story.client.import(JSON.stringify(exported));
    expect(await story.client.export(again.workflow_id)).toEqual(exported);
    await story.client.delete(again.workflow_id);
  });

  it("is checked as a whole before anything is stored [001-013] [001-182]", async () => {
    const before = [await count("executor_chains"), await count("agent_workflows"), await count("triggers")];
    const bad = [executor("one"), executor("two"), executor("three", { tools: ["mail.addLable"], model: "gpt-5o" })];
    await expect(story.client.create(chainOf(bad, { schedule_type: "recurring" }))).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      path: "$.executors[2].model",
      details: {
        problems: [
          { path: "$.executors[2].model", fix: expect.stringContaining("gpt-4o") },
          { path: "$.executors[2].tools[0]", fix: "Did you mean mail.addLabel?" },
          { path: "$.cron_expression", message: "recurring needs cron_expression" },
        ],
      },
    });
    expect([await count("executor_chains"), await count("agent_workflows"), await count("triggers")]).toEqual(before);
  });

  it.each(MALFORMED)("that is malformed is refused with its place: %s", async (_what, marked, says) => {
    const at = marked.indexOf("§");
    const before = marked.slice(0, at).split("\n");
    const told = await story.client.import(marked.replace("§", "")).then(
      () => "it was taken",
      (error: unknown) => error,
    );
    expect(told).toMatchObject({
      code: expect.stringMatching(/^SOURCE_(INVALID|UNREADABLE)$/),
      message: expect.stringMatching(says),
      details: { line: before.length, column: (before.at(-1) ?? "").length + 1 },
    });
  });

  it("can be pasted as people write it, and is found with its runs by its owner only [001-070] [001-189]", async () => {
    const chain = await story.client.import(`# pasted\nspec = ${GOOD.replaceAll("true", "True")}`);
    const other = story.clientFor(await story.oven.keyFor("admin"));
    expect((await story.client.list()).map(({ slug }) => slug)).toContain("prices");
    expect((await other.list()).map(({ slug }) => slug)).not.toContain("prices");
    expect(await other.get(chain.workflow_id)).toBeNull();
    await expect(other.run(chain.workflow_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await story.client.setStatus(chain.workflow_id, "paused");
    expect((await story.client.list("paused")).map(({ slug }) => slug)).toEqual(["prices"]);
    expect((await story.client.list("archived")).map(({ slug }) => slug)).toEqual([]);
    await expect(story.client.run(chain.workflow_id)).rejects.toMatchObject({ code: "WORKFLOW_DISABLED" });
    await story.client.setStatus(chain.workflow_id, "active");
    story.answers.push(json({ prices: [] }));
    const { run_id } = await story.client.run(chain.workflow_id, 30);
    await story.client.delete(chain.workflow_id);
    expect(await story.client.getRun(run_id)).toBeNull();
  });

  it("keeps the tools it was made with: what does not fit any more is refused, what is new is told [001-163] [001-166] [001-168]", async () => {
    const { workflow_id: id, tool_manifest_json: manifest } = await story.client.create(
      chainOf([executor("one", { tools: ["mail.addLabel"] })]),
    );
    expect(manifest.tools).toEqual([{ name: "mail.addLabel", args: { label: "str" } }]);
    const then = async (args: Record<string, string>, more: object[] = []) => {
      // The tools of a server do not change while it runs: the chain is one of an earlier one.
      const rows = await story.oven.db.query<{ agent_workflow_id: number }>(
        "select agent_workflow_id from executor_chains where workflow_id = $1",
        [id],
      );
      const { body } = await story.oven.call("GET", `agent-workflows/${rows[0]?.agent_workflow_id}`);
      body.definition.states.executor_1_prepare.invoke.input.manifest = {
        $literal: [{ name: "mail.addLabel", args }, ...more],
      };
      // Not over HTTP, where it is changed only with its chain.
      const { workflows } = story.services.workflowPlatform.face("agent-workflow");
      const owner: Principal = { kind: "user", userId: body.createdBy, tenantId: body.tenantId, permissions: ["*"] };
      await workflows.update(owner, String(body.id), { definition: body.definition });
    };
    await then({ label: "str", colour: "str" });
    const refused = await story.client.run(id, 30);
    expect(refused).toMatchObject({
      status: "failed",
      executor_results: [{ error: expect.stringContaining("mail.addLabel takes no argument colour any more") }],
    });
    expect(story.asked()).toHaveLength(0);
    await then({});
    expect((await story.client.run(id, 30)).executor_results[0]?.error).toContain(
      "mail.addLabel has a new argument label (str)",
    );
    expect((await story.client.approveTools(id)).tool_manifest_json.tools).toEqual(manifest.tools);
    const clean = await story.client.run(id, 30);
    expect(clean.status).toBe("completed");
    expect((await story.client.getTrace(clean.run_id)).warnings).toEqual([]);
    await then({ label: "str" }, [{ name: "search_web", args: { query: "str" } }]);
    const warned = await story.client.run(id, 30);
    expect(warned.status).toBe("completed");
    expect((await story.client.getTrace(warned.run_id)).warnings).toEqual([
      "search_web has a new argument limit (int?)",
    ]);
    await story.client.delete(id);
  });

  it("is found over indexes however many there are [001-068] [001-069] [001-086] [001-109]", async () => {
    const { db } = story.oven;
    await db.query(
      `insert into executor_chains (tenant_id, user_id, slug, thread_id, name, description, executors, tool_manifest_json, schedule_type, timezone, misfire, overlap, notify_on_complete, notify_on_failure, agent_workflow_id)
       select 7, n % 1000 + 1000, 's' || n, 't', 'n', '', '[]', '{}', 'immediate', 'UTC', 'once', 'skip', false, true, 0 from generate_series(1, 20000) n`,
    );
    await db.query("analyze executor_chains");
    const planOf = async (query: string) =>
      (await db.query<{ "QUERY PLAN": string }>(`explain ${query}`)).map((row) => row["QUERY PLAN"]).join("\n");
    expect(
      await planOf("select * from executor_chains where tenant_id = 7 and user_id = 1234 order by id desc"),
    ).toContain("executor_chains_slug");
    await db.query("delete from executor_chains where tenant_id = 7");
    // The others' tables are small here: whether an index could be used is what counts.
    const could = (query: string) =>
      db.transaction(async (tx) => {
        await tx.query("set local enable_seqscan = off");
        return (await tx.query<{ "QUERY PLAN": string }>(`explain ${query}`))
          .map((row) => row["QUERY PLAN"])
          .join("\n");
      });
    expect(await could("select id from triggers where enabled and due_at is not null and due_at <= now()")).toContain(
      "triggers_due",
    );
    expect(
      await could("select id from agent_workflow_executions where agent_workflow_id = 1 order by id desc"),
    ).toContain("agent_workflow_executions_workflow");
    expect(
      await could("select id from agent_workflow_executions where status in ('pending', 'running', 'paused')"),
    ).toContain("agent_workflow_executions_live");
    expect(await could("select id from agent_workflow_node_executions where execution_id = 1")).toContain(
      "agent_node_executions_run",
    );
  });
});

it("the guide's example is a chain that can be stored [001-207]", async () => {
  const guide = readFileSync(new URL("../../../../../docs/guides/executor-chains.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const chain = await story.client.import(example);
  expect(chain).toMatchObject({ slug: "price_watch", cron_expression: "0 9 * * *", timezone: "Europe/Vienna" });
  for (const tool of guide.match(/(?<=^\| )`\w+`(?=.* \|)/gm) ?? [])
    if (!["`for_each`", "`repeat_until`"].includes(tool))
      expect(story.services.tools.get(tool.replaceAll("`", "")), tool).toBeDefined();
  await story.client.delete(chain.workflow_id);
});

describe("a schedule", () => {
  const chain = (more: Partial<NewChainSpec>) => story.client.create(chainOf([executor("one")], more));
  const firing = async (id: string) => (await story.client.listRuns(id)).length;

  it("is set when the chain is made, and its runs are made when it is due [001-002] [001-024] [001-025] [001-026] [001-057] [001-058] [001-059] [001-060] [001-157] [001-158] [001-183]", async () => {
    await expect(chain({ schedule_type: "daily" as never })).rejects.toMatchObject({ path: "$.schedule_type" }); // cast: wrong on purpose
    await expect(chain({ schedule_type: "scheduled" })).rejects.toMatchObject({ path: "$.schedule_time" });
    await expect(chain({ schedule_type: "recurring" })).rejects.toMatchObject({ path: "$.cron_expression" });
    const once = await chain({ schedule_type: "scheduled", schedule_time: "tomorrow 9am", timezone: "Europe/Vienna" });
    expect(once).toMatchObject({
      schedule_type: "scheduled",
      schedule_time: "2026-11-21T08:00:00.000Z",
      cron_expression: null,
      next_run_time: "2026-11-21T08:00:00.000Z",
    });
    const again = await chain({ schedule_type: "recurring", cron_expression: "0 9 * * MON-FRI" });
    expect(again).toMatchObject({
      schedule_time: null,
      cron_expression: "0 9 * * MON-FRI",
      next_run_time: "2026-11-23T09:00:00.000Z",
    });
    expect((await story.client.export(again.slug)).cron_expression).toBe("0 9 * * MON-FRI");
    const now = await chain({});
    expect(now).toMatchObject({ schedule_type: "immediate", next_run_time: null });
    // Only triggers are scheduled: one each, of the two that have a time.
    const { body } = await story.oven.call("GET", 'triggers?filter={"type":"schedule"}');
    expect(body).toHaveLength(2);
    await pass(24);
    expect([await firing(once.workflow_id), await firing(again.workflow_id), await firing(now.workflow_id)]).toEqual([
      1, 0, 0,
    ]);
    expect((await story.client.get(once.slug))?.next_run_time).toBeNull();
    await pass(48);
    expect(await firing(again.workflow_id)).toBe(1);
    expect((await story.client.get(again.slug))?.next_run_time).toBe("2026-11-24T09:00:00.000Z");
    for (const { workflow_id } of [once, again, now]) await story.client.delete(workflow_id);
    expect((await story.oven.call("GET", "triggers")).body).toEqual([]);
  });

  it("never fires while its chain is paused or archived [001-061]", async () => {
    const { workflow_id: id } = await chain({ schedule_type: "recurring", cron_expression: "0 * * * *" });
    for (const status of ["paused", "archived"] as const) {
      expect(await story.client.setStatus(id, status)).toMatchObject({ status, next_run_time: null });
      await pass(3);
    }
    expect(await firing(id)).toBe(0);
    expect((await story.client.setStatus(id, "active")).next_run_time).not.toBeNull();
    await pass(1);
    expect(await firing(id)).toBe(1);
    await story.client.delete(id);
  });

  it("is read from words in the zone of its user, and told exactly [001-184] [001-185] [001-186] [001-187] [001-188]", async () => {
    const { workflow_id: id } = await chain({});
    await story.oven.call("PUT", "notification-preferences", { timezone: "America/New_York" }, { key: story.key });
    const at = clock.now.toISOString().slice(0, 10);
    const job = await story.client.schedule(id, { schedule_type: "scheduled", schedule_time: "in 2 hours" });
    expect(job.next_run_time).toBe(new Date(clock.now.getTime() + 2 * HOUR).toISOString());
    const nine = await story.client.schedule(id, { schedule_type: "scheduled", schedule_time: "tomorrow 9am" });
    const tomorrow = new Date(Date.parse(`${at}T00:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10);
    expect(nine).toMatchObject({
      workflow_id: id,
      timezone: "America/New_York",
      next_run_time: `${tomorrow}T14:00:00.000Z`,
      run_id: null,
    });
    expect(nine.says).toContain("America/New_York");
    const words = await story.client.schedule(id, { schedule_type: "recurring", cron_expression: "daily at 9am" });
    const cron = await story.client.schedule(id, { schedule_type: "recurring", cron_expression: "0 9 * * *" });
    expect(words).toEqual(cron);
    expect(cron.cron_expression).toBe("0 9 * * *");
    for (const [schedule_time, says] of [
      ["when pigs fly", "could not be read"],
      ["yesterday", "has passed"],
      ["2020-01-01T09:00:00Z", "has passed"],
      ["daily at 9am", "again and again"],
    ] as const)
      await expect(story.client.schedule(id, { schedule_type: "scheduled", schedule_time })).rejects.toMatchObject({
        code: "SOURCE_INVALID",
        message: expect.stringContaining(says),
        fix: expect.stringContaining("tomorrow 9am"),
      });
    await expect(
      story.client.schedule(id, { schedule_type: "recurring", cron_expression: "tomorrow 9am" }),
    ).rejects.toMatchObject({ fix: expect.stringContaining("daily at 9am") });
    const now = await story.client.schedule(id, { schedule_type: "immediate" });
    expect(now).toMatchObject({ says: "At once", next_run_time: null });
    expect(await story.settle(now.run_id ?? "")).toMatchObject({ status: "completed" });
    expect((await story.oven.call("GET", "triggers")).body).toEqual([]);
    await story.client.delete(id);
  });

  it("is cancelled with its workflow, by its type, and never by accident [001-192] [001-193]", async () => {
    const one = await chain({ schedule_type: "recurring", cron_expression: "0 * * * *" });
    const two = await chain({ schedule_type: "recurring", cron_expression: "0 * * * *" });
    const three = await chain({ schedule_type: "scheduled", schedule_time: "in 3 hours" });
    await expect(story.client.cancel({})).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect((await story.oven.call("GET", "triggers")).body).toHaveLength(3);
    const held = await story.client.create(chainOf([executor("held", { tools: ["slow.hold"] })]));
    const { run_id } = await story.client.run(held.slug);
    await expect.poll(async () => (await story.client.listToolCalls(run_id)).length).toBe(1);
    expect(await story.client.cancel({ workflow_id: held.slug })).toEqual({
      cancelled: [{ workflow_id: held.workflow_id, runs_cancelled: 1 }],
    });
    expect(await story.client.getRun(run_id)).toMatchObject({ status: "cancelled" });
    expect(await story.client.cancel({ workflow_id: one.slug })).toMatchObject({ cancelled: [{ runs_cancelled: 0 }] });
    expect(await story.client.get(one.slug)).toMatchObject({ status: "archived", next_run_time: null });
    expect(await story.client.cancel({ schedule_type: "recurring" })).toMatchObject({
      cancelled: [{ workflow_id: two.workflow_id }],
    });
    expect(await story.client.get(two.slug)).toMatchObject({
      status: "active",
      schedule_type: "immediate",
      next_run_time: null,
    });
    expect((await story.oven.call("GET", "triggers")).body).toHaveLength(1);
    for (const { workflow_id } of [one, two, three, held]) await story.client.delete(workflow_id);
  });
});

describe("a schedule with policies", () => {
  const hourly = (more: Partial<NewChainSpec>) =>
    story.client.create(
      chainOf([executor("held", { tools: ["slow.hold"] })], {
        schedule_type: "recurring",
        cron_expression: "0 * * * *",
        ...more,
      }),
    );
  const runs = async (chains: readonly { workflow_id: string }[]) =>
    Promise.all(chains.map(async ({ workflow_id }) => (await story.client.listRuns(workflow_id)).length));

  it("makes up for what it missed, as it says [001-160]", async () => {
    const chains = [
      await hourly({ misfire: "once" }),
      await hourly({ misfire: "skip" }),
      await hourly({ misfire: "all", overlap: "allow" }),
    ];
    // Nobody looked for three hours.
    clock.now = new Date(clock.now.getTime() + 3 * HOUR + 300_000);
    await story.services.triggers.tick();
    expect(await runs(chains)).toEqual([1, 0, 3]);
    for (const { workflow_id } of chains) await story.client.delete(workflow_id);
  });

  it("starts beside, behind or instead of a run that goes on, as it says [001-161]", async () => {
    const chains = [await hourly({}), await hourly({ overlap: "allow" }), await hourly({ overlap: "queue" })];
    await pass(1);
    const calling = async () =>
      (
        await Promise.all(
          chains.map(async ({ workflow_id }) =>
            story.client.listToolCalls((await story.client.listRuns(workflow_id))[0]?.run_id ?? ""),
          ),
        )
      ).map(({ length }) => length);
    await expect.poll(calling).toEqual([1, 1, 1]);
    await pass(1);
    expect(await runs(chains)).toEqual([1, 2, 1]);
    story.letGo();
    await expect
      .poll(async () => {
        await story.services.triggers.tick();
        return runs(chains);
      })
      .toEqual([1, 2, 2]);
    for (const { workflow_id } of chains) await story.client.delete(workflow_id);
  });

  it("keeps to the clock on the wall of its zone [001-162]", async () => {
    const next = async (now: string, cron_expression: string) => {
      clock.now = new Date(now);
      const { workflow_id } = await story.client.create(
        chainOf([executor("one")], { schedule_type: "recurring", cron_expression, timezone: "Europe/Vienna" }),
      );
      const first = (await story.client.get(workflow_id))?.next_run_time;
      await pass(23);
      const second = (await story.client.get(workflow_id))?.next_run_time;
      expect(await runs([{ workflow_id }])).toEqual([1]);
      await story.client.delete(workflow_id);
      return [first, second];
    };
    expect(await next("2027-03-27T01:00:00Z", "0 9 * * *")).toEqual([
      "2027-03-27T08:00:00.000Z",
      "2027-03-28T07:00:00.000Z",
    ]);
    // 2:30 is left out on that night: it fires when the clocks go forward.
    expect(await next("2027-03-27T01:00:00Z", "30 2 * * *")).toEqual([
      "2027-03-27T01:30:00.000Z",
      "2027-03-28T01:00:00.000Z",
    ]);
    // It comes twice on this one: it fires once.
    expect(await next("2027-10-31T00:00:00Z", "30 2 * * *")).toEqual([
      "2027-10-31T00:30:00.000Z",
      "2027-11-01T01:30:00.000Z",
    ]);
  });
});

describe("notifications and audit", () => {
  it("go out as the chain says, of failures and of parts too [001-208]", async () => {
    const told = async () =>
      (await story.oven.call("GET", "notifications", undefined, { key: story.key })).body as { subject: string }[];
    const wanted: string[] = [];
    for (const [onComplete, onFailure] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const { workflow_id } = await story.client.create(
        chainOf([executor("one"), executor("two")], {
          name: `${onComplete} ${onFailure}`,
          notify_on_complete: onComplete,
          notify_on_failure: onFailure,
        }),
      );
      await story.client.run(workflow_id, 30);
      story.answers.push({ status: 400, message: "no" });
      await story.client.run(workflow_id, 30);
      story.answers.push(json({ ok: true }), { status: 400, message: "no" });
      await story.client.run(workflow_id, 30);
      if (onComplete) wanted.push(`${onComplete} ${onFailure} has completed`);
      if (onFailure) wanted.push(`${onComplete} ${onFailure} has completed`, `${onComplete} ${onFailure} has failed`);
    }
    // What is told is told in order: once this is there, nothing else is on its way.
    await story.run(chainOf([executor("last")], { name: "Last", notify_on_complete: true }));
    wanted.push("Last has completed");
    const ours = (subject: string) => !subject.startsWith("A chain");
    const subjects = async () => (await told()).map(({ subject }) => subject).filter(ours);
    await expect.poll(async () => (await subjects()).toSorted()).toEqual(wanted.toSorted());
  });

  it("of tools is in full, or name, status and duration only [001-177]", async () => {
    story.answers.push(call("mail_addLabel", { label: "x" }));
    const run = await story.run(chainOf([executor("one", { tools: ["mail.addLabel"] })]));
    const set = (value: string) =>
      story.oven.call("POST", "module-configs", {
        moduleName: "module-workflow-formats",
        key: "CHAIN_TOOL_AUDIT",
        value,
      });
    expect((await set("summary")).status).toBe(201);
    expect((await story.client.listToolCalls(run.run_id))[0]).toMatchObject({
      tool_name: "mail.addLabel",
      tool_input: null,
      tool_output: null,
      status: "success",
      duration_ms: expect.any(Number),
    });
    expect((await story.client.getTrace(run.run_id)).executor_runs[0]?.tool_calls[0]).toMatchObject({
      input: null,
      output: null,
    });
    await story.client.delete(run.workflow_id);
  });
});
