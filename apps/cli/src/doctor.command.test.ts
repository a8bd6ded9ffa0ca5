import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres, fillTestDataDir } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { DiagnosisSchema } from "./doctor/finding.ts";
import { runDoctor } from "./doctor.command.ts";

const READS_EVENTS = {
  initial: "read",
  states: { read: { invoke: { src: "system.events.list", onDone: "done" } }, done: { type: "final" } },
};
const PUBLISH_AGAIN = "Let a person with the role Owner or Admin look at it and publish it again.";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "oven-doctor-"));
});
afterAll(() => rm(dataDir, { recursive: true }));

/** An installation in a folder of this name, as its server leaves it. */
async function installation(name: string, work: (oven: TestOven) => Promise<void>) {
  const folder = join(dataDir, name);
  fillTestDataDir(folder);
  const db = await connectDatabase({ url: undefined, dataDir: folder });
  const oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), db });
  await work(oven);
  await oven.stop();
  await db.close();
  return folder;
}

/** As a version of before left the tables. */
async function unmigrate(db: Database) {
  for (const table of ["workflow_versions", "workflow_drafts", "agent_workflow_versions", "agent_workflow_drafts"])
    await db.query(`alter table ${table} drop column granted`);
  await db.query("alter table agent_versions drop column granted");
  await db.query("alter table triggers drop column granted, drop column runs_with_key");
  await db.query("alter table trigger_deliveries drop column fired_by");
  await db.query("alter table reviews drop column requesters");
}

async function doctor(folder: string, json = false) {
  let text = "";
  const code = await runDoctor({ OVEN_DATA_DIR: folder }, { json }, (part) => (text += part));
  return { code, text };
}

it("says of a new installation that there is nothing to do, and makes none where there is none", async () => {
  const folder = await installation("new", async () => {});
  const { code, text } = await doctor(folder);
  expect(text).toMatch(/^Nothing to do \(examined: \d+ workflows.*\)\.\n$/m);
  expect(code).toBe(0);
  const db = await connectDatabase({ url: undefined, dataDir: folder });
  await expect(doctor(folder)).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
  await db.close();
  await expect(doctor(join(dataDir, "none"))).rejects.toThrow("There is no database");
  expect(await readdir(dataDir)).toEqual(["new"]);
});

it.each([true, false])("lists what an editor's workflow may not do, migrated already: %s", async (isMigrated) => {
  const folder = await installation(`editor-${isMigrated}`, async (oven) => {
    const editor = await invite(oven, "ed@example.com", ["editor"]);
    const made = { name: "Report", definition: READS_EVENTS };
    expect((await oven.call("POST", "workflows", made, editor)).status).toBe(201);
    expect((await oven.call("POST", "agent-workflows", made, editor)).status).toBe(201);
    const { body: reads } = await oven.call("POST", "agent-workflows", { ...made, name: "Of an admin" });
    expect((await oven.call("POST", "agents", { name: "Reader", workflowId: reads.id })).status).toBe(201);
    const asks = { name: "Asks", definition: one("agent.subagent", { agent: "reader", message: "Go" }) };
    expect((await oven.call("POST", "agent-workflows", asks, editor)).status).toBe(201);
    const off = { ...made, name: "Off", enabled: false };
    expect((await oven.call("POST", "workflows", off, editor)).status).toBe(201);
    if (!isMigrated) await unmigrate(oven.db);
  });
  const problem = "version 1, published by ed@example.com, lacks the permissions of its steps: events.read (read)";
  const { code, text } = await doctor(folder, true);
  const { findings } = DiagnosisSchema.parse(JSON.parse(text));
  expect(findings.filter(({ group }) => group === "workflows")).toMatchObject([
    { kind: "workflow", name: "Report", problem, fix: PUBLISH_AGAIN },
    { kind: "agent-workflow", name: "Report", problem, fix: PUBLISH_AGAIN },
    { kind: "agent-workflow", name: "Asks", problem: expect.stringContaining("events.read (step/read)") },
  ]);
  expect(code).toBe(1);
  const shown = await doctor(folder);
  expect(shown).toMatchObject({ code: 1, text: expect.stringMatching(/To do: 3 workflows.* \(examined: .+\)\.\n$/) });
  expect(shown.text).toContain(`): ${problem}.\n    ${PUBLISH_AGAIN}\n`);
});

const one = (src: string, input: object) => ({
  initial: "step",
  states: { step: { invoke: { src, input, onDone: "done" } }, done: { type: "final" } },
});
const REJECTED = { type: "condition", params: { key: "$.output.action", operator: "==", value: "reject" } };
const CONFIG = { moduleName: "module-triggers", key: "TRIGGER_MINIMUM_INTERVAL_SECONDS", value: 60 };

/** Triggers, keys, steps that need approval and a policy, each as it must be listed and as it must not. */
async function fill(oven: TestOven) {
  const people = Object.fromEntries(
    await Promise.all(
      ["ed:editor", "ada:admin", "gone:admin", "demoted:admin"].map(async (both) => {
        const [name = "", role = ""] = both.split(":");
        return [name, await invite(oven, `${name}@example.com`, [role])] as const;
      }),
    ),
  );
  const make = async (path: string, body: object, as?: Credentials) => {
    const made = await oven.call("POST", path, body, as);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  };
  const report = await make("workflows", { name: "Report", definition: READS_EVENTS }, people.ed);
  const own = await make("workflows", { name: "Own", definition: READS_EVENTS }, people.ada);
  const trigger = (name: string, { id }: { id: number }, as?: Credentials) =>
    make("triggers", { type: "manual", name, target: { kind: "workflow", workflowId: id } }, as);
  await trigger("Lent", report, people.ada);
  await trigger("Lacking", own, people.ed);
  await trigger("Of one gone", own, people.gone);
  await trigger("Of one demoted", own, people.demoted);
  await trigger("Fine", own, people.ada);
  const narrow = ["workflows.read", "workflows.execute", "triggers.create"];
  const keyed = await make("api-keys", { name: "Ended", permissions: narrow });
  await trigger("Of an ended key", own, { key: keyed.key });
  await oven.call("DELETE", `api-keys/${keyed.id}`);
  const workflows = [`workflow:${own.id}`];
  await make("api-keys", { name: "Narrow", permissions: narrow, workflows });
  await make("api-keys", { name: "Wide", permissions: [...narrow, "events.read"], workflows });
  await make("api-keys", { name: "For all", permissions: narrow });
  const bound = { toolBindings: ["system.events.list"] };
  await make("agents", { name: "Lister", ...bound }, people.ed);
  await make("agents", { name: "Of an admin", ...bound }, people.ada);
  await make("agents", { name: "Any", toolBindings: ["system.*"] }, people.ed);
  await oven.db.query("update users set disabled_at = now() where email = 'gone@example.com'");
  await oven.db.query("delete from user_roles using users u where u.id = user_id and u.email = 'demoted@example.com'");
  await make("workflows", { name: "Sets", definition: one("system.moduleConfigs.create", CONFIG) });
  const asked = one("system.moduleConfigs.create", { ...CONFIG, approval: { assignees: ["role:admin"] } });
  await make("workflows", { name: "Asks", definition: asked });
  for (const [name, action] of [["Late", "approve"] as const, ["Reviewed", "reject"] as const])
    await make("agent-workflows", {
      name,
      definition: {
        initial: "ask",
        states: {
          ask: {
            invoke: {
              src: "agent.humanReview",
              input: { show: {}, dueIn: "PT1H", onDeadline: { action } },
              onDone: [{ target: "done", guard: REJECTED }, { target: "pay" }],
            },
          },
          pay: { invoke: { src: "core.http", input: { url: "https://example.com" }, onDone: "done" } },
          done: { type: "final" },
        },
      },
    });
  const rule = { kind: "review-before", target: { nodeTypes: ["core.http"] } };
  await make("graph-policies", { name: "Ask first", severity: "error", rule });
}

it("lists definitions that this version takes no more", async () => {
  const folder = await installation("stricter", async (oven) => {
    const asks = one("agent.humanReview", { title: "{{ $.trigger.question }}", show: {} });
    const { body } = await oven.call("POST", "agent-workflows", { name: "Asks", definition: asks });
    // As a version published it that did not look for this.
    await oven.db.query(
      "update agent_workflows set definition = definition #- '{states,step,invoke,input,show}' where id = $1",
      [body.id],
    );
  });
  const { code, text } = await doctor(folder, true);
  expect(code).toBe(1);
  expect(DiagnosisSchema.parse(JSON.parse(text)).findings).toMatchObject([
    {
      ...{ group: "definitions", kind: "agent-workflow", name: "Asks" },
      problem: expect.stringContaining("agent.humanReview: give either `show` or `toolCall`"),
      fix: expect.any(String),
    },
  ]);
});

it("lists triggers, approvals, policies and keys, and what is known of them before the migration", async () => {
  const folder = await installation("full", fill);
  const shown = async () => {
    const { findings, notes } = DiagnosisSchema.parse(JSON.parse((await doctor(folder, true)).text));
    const of = (group: string) =>
      findings.filter((one) => one.group === group).map(({ name, problem }) => `${name}: ${problem}`);
    return { of, notes };
  };
  const lent =
    "Lent: runs of Report had rights of ada@example.com, who saved it, that version 1, published by ed@example.com, lacks: events.read (read)";
  const lacking =
    "Lacking: runs of Own are refused at steps, for ed@example.com, who saved it, lacks events.read (read)";
  const idle = [
    "Of one gone: it starts nothing, for gone@example.com, who saved it, is disabled or gone",
    "Of one demoted: it starts nothing, for demoted@example.com, who saved it, lacks the permission workflows.execute",
  ];
  const key = expect.stringMatching(/^Of an ended key: it starts nothing, for API key \d+ of .+, is disabled or gone$/);
  const agents = [
    "Lister: version 1, saved by ed@example.com, lacks the permissions of its tools: events.read (system.events.list)",
  ];
  const forAll = expect.stringMatching(
    /^API key For all \(\d+\) of .+ may start every workflow and lacks .*events.read.*: runs that it starts of Report, Own.* are refused at steps\.$/,
  );
  const waits = "the step step (system.moduleConfigs.create) will wait in the inbox for a person";
  const policies = [
    expect.stringMatching(/^Late: version 1 may not run. Policy "Ask first": core.http is reached without/),
  ];
  const keys = [expect.stringMatching(/^Narrow: .+ starts Own, and .+ lacks events.read \(read\)$/)];

  const after = await shown();
  expect(after.of("triggers")).toEqual([lent, lacking, ...idle, key]);
  expect(after.of("agents")).toEqual(agents);
  expect(after.of("approvals")).toEqual([]);
  expect(after.of("policies")).toEqual(policies);
  expect(after.of("keys")).toEqual(keys);
  expect(after.notes).toEqual([
    forAll,
    expect.stringMatching(`^workflow Sets \\(\\d+\\): ${waits.replaceAll(/[()]/g, "\\$&")}\\.$`),
    expect.stringContaining("Set-up is open"),
  ]);

  const db = await connectDatabase({ url: undefined, dataDir: folder });
  await unmigrate(db);
  await db.close();
  const before = await shown();
  // Which key saved it is no longer there: it has the rights of its user, an owner.
  expect(before.of("triggers")).toEqual([lent, lacking, ...idle]);
  expect(before.of("agents")).toEqual(agents);
  expect(before.of("approvals")).toEqual([`Sets: ${waits}`]);
  expect(before.of("policies")).toEqual(policies);
  expect(before.of("keys")).toEqual(keys);
  expect(before.notes).toEqual([
    expect.stringMatching(/^5 triggers were saved by an earlier version/),
    forAll,
    expect.stringContaining("Set-up is open"),
  ]);
});

it("reads PostgreSQL beside the running server, and cannot write", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"));
  const db = await connectDatabase({ url, dataDir });
  const oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), db });
  await oven.call(
    "POST",
    "workflows",
    { name: "Report", definition: READS_EVENTS },
    await invite(oven, "ed@example.com", ["editor"]),
  );
  let text = "";
  expect(await runDoctor({ DATABASE_URL: url }, { json: false }, (part) => (text += part))).toBe(1);
  expect(text).toContain("workflow Report (");
  // As if looking were to write.
  await db.query("alter table roles rename to stored_roles");
  await db.query(
    "create function roles_of() returns setof stored_roles as 'update stored_roles set title = title; select * from stored_roles' language sql",
  );
  await db.query("create view roles as select * from roles_of()");
  await expect(runDoctor({ DATABASE_URL: url }, { json: false }, () => undefined)).rejects.toThrow("read-only");
  await oven.stop();
  await db.close();
  await drop();
});
