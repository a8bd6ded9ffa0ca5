import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInstallation } from "@oven/module-promotion/testing";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { syncCommand } from "./sync.command.ts";
import { serve } from "./testing/serve.ts";

/* A folder between two installations: `staging`, where things are made, and `production`, which has nothing of its own at first. */

const VALUE = "a-value-that-stays-where-it-is";
const final = { type: "final" };
const say = (prompt: string) => ({
  initial: "ask",
  states: { ask: { invoke: { src: "agent.llm", input: { model: "house", prompt }, onDone: "done" } }, done: final },
});
const main = (agentId: number, workflowId: number) => ({
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.subagent", input: { agent: agentId, message: "Order 7" }, onDone: "call" } },
    call: { invoke: { src: "core.callWorkflow", input: { workflow: workflowId, input: {} }, onDone: "find" } },
    find: { invoke: { src: "tables.find", input: { table: "orders" }, onDone: "done" } },
    done: final,
  },
});
const notify = {
  initial: "send",
  states: {
    send: {
      invoke: {
        src: "core.http",
        input: { url: "https://api.example.com", headers: { authorization: { $secret: "crm-key" } } },
        onDone: "done",
      },
    },
    done: final,
  },
};

interface Server {
  oven: TestOven;
  options: string[];
  close: () => Promise<void>;
}
let staging: Server;
let production: Server;
let dir: string;

async function start(): Promise<Server> {
  const oven = await startInstallation();
  const http = await serve((request) => oven.handle(request));
  const options = ["--url", `http://127.0.0.1:${http.port}/`, "--key", TEST_KEY];
  return {
    oven,
    options,
    close: async () => {
      await http.close();
      await oven.stop();
    },
  };
}
async function made({ oven }: Server, path: string, body: object) {
  const answer = await oven.call("POST", path, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
async function changed({ oven }: Server, path: string, change: object) {
  const { body } = await oven.call("GET", path);
  const answer = await oven.call("PUT", path, { ...change, version: body.version });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

beforeAll(async () => {
  [staging, production] = await Promise.all([start(), start()]);
  for (const server of [staging, production]) {
    await made(server, "ai-aliases", { name: "house", model: "simulated:clerk" });
    await made(server, "secrets", { name: "crm-key", value: VALUE, hosts: ["api.example.com"] });
  }
  await made(staging, "tables", { name: "Zones", columns: [{ name: "name", type: "text", unique: true }] });
  const columns = [{ name: "zone", type: "reference", references: "zones" }];
  await made(staging, "tables", { name: "Orders", columns });
  const inner = await made(staging, "workflows", { name: "Notify", tags: ["b", "a"], definition: notify });
  const clerk = await made(staging, "agents", { name: "Clerk", model: "house", toolBindings: ["shop.*"] });
  await made(staging, "agents", { name: "Alone", model: "house" });
  const { id } = await made(staging, "agent-workflows", { name: "Main", definition: main(clerk.id, inner.id) });
  await made(staging, "triggers", {
    ...{ type: "webhook", name: "Orders", target: { kind: "agent-workflow", workflowId: id } },
    config: { signature: { style: "github", secret: "crm-key" } },
  });
});
afterAll(async () => {
  await Promise.all([staging.close(), production.close()]);
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "oven-sync-"));
});
afterEach(() => rm(dir, { recursive: true }));

async function sync(way: string, server: Server, ...more: string[]) {
  const lines: string[] = [];
  const code = await syncCommand.run([way, dir, ...server.options, ...more], (text) => lines.push(text));
  return { code, text: lines.join("") };
}
/** Every file of the folder, but the lock. */
async function bytes(): Promise<Record<string, string>> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".json")).toSorted();
  const files = names.filter((name) => name !== "oven.lock.json");
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(dir, name), "utf8")])),
  );
}
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(dir, path), "utf8");
  expect(text).toContain(from);
  await writeFile(join(dir, path), text.replace(from, to));
}
const states = async (server: Server) =>
  Object.fromEntries(
    JSON.parse((await sync("status", server, "--json")).text)
      .files.filter(({ state }: { state: string }) => state !== "same")
      .map(({ path, state }: { path: string; state: string }) => [path, state]),
  );

it("pulls each workflow, agent and table once, by slugs and without secrets, and pulls no byte the second time", async () => {
  expect((await sync("pull", staging)).code).toBe(0);
  const first = await bytes();
  expect(Object.keys(first)).toEqual([
    "agent-workflows/main.json",
    "agents/alone.json",
    "agents/clerk.json",
    "tables/orders.json",
    "tables/zones.json",
    "workflows/notify.json",
  ]);
  expect(Object.values(first).join("")).not.toContain(VALUE);
  const { root, workflows, agents, triggers } = JSON.parse(first["agent-workflows/main.json"] ?? "");
  expect([root, workflows.length, agents]).toEqual([{ kind: "agent-workflow", slug: "main" }, 1, []]);
  expect(workflows[0].definition.states).toMatchObject({
    ask: { invoke: { input: { agent: "clerk" } } },
    call: { invoke: { input: { workflow: "notify" } } },
  });
  expect(triggers).toMatchObject([{ name: "Orders", config: { signature: { secret: "crm-key" } } }]);
  expect(await sync("pull", staging)).toEqual({ code: 0, text: "" });
  expect(await bytes()).toEqual(first);
  expect(await sync("status", staging)).toMatchObject({ code: 0, text: expect.stringContaining("6 of 6 in step") });
});

it("says which side changed, takes the server's change, and pushes the file's", async () => {
  await made(staging, "agent-workflows", { name: "Shop", definition: say("Say yes") });
  await sync("pull", staging);
  await changed(staging, "agent-workflows/shop", { definition: say("Say no") });
  await changed(staging, "agents/alone", { systemPrompt: "Be brief." });
  await edit("workflows/notify.json", '"name": "Notify"', '"name": "Notify all"');
  expect((await sync("status", staging)).code).toBe(1);
  expect(await states(staging)).toEqual({
    "agent-workflows/shop.json": "server-changed",
    "agents/alone.json": "server-changed",
    "workflows/notify.json": "file-changed",
  });
  expect(await sync("push", staging, "--dry-run")).toMatchObject({ code: 0 });
  const unpushed = await readFile(join(dir, "workflows/notify.json"));
  await edit("workflows/notify.json", '"name": "Notify all"', '"name": "Notify"');
  expect(await sync("push", staging)).toMatchObject({ code: 1, text: expect.stringContaining("Nothing to push.") });
  await writeFile(join(dir, "workflows/notify.json"), unpushed);
  expect((await sync("pull", staging)).code).toBe(0);
  expect((await bytes())["agent-workflows/shop.json"]).toContain("Say no");
  expect(await states(staging)).toEqual({ "workflows/notify.json": "file-changed" });

  const dry = await sync("push", staging, "--publish", "--dry-run");
  expect(dry).toEqual({ code: 0, text: "update  workflow notify: name\n" });
  expect(await states(staging)).toEqual({ "workflows/notify.json": "file-changed" });
  const done = await sync("push", staging, "--publish");
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining("Pushed 1 file.") });
  expect((await staging.oven.call("GET", "workflows/notify")).body.name).toBe("Notify all");
  expect(await states(staging)).toEqual({});
  const [audit] = await staging.oven.db.query(
    "select outcome from audit_log where action = 'POST promotions/apply' order by id desc",
  );
  expect(audit).toEqual({ outcome: "done" });
  expect(await sync("push", staging, "--publish")).toEqual({ code: 0, text: "Nothing to push.\n" });
});

it("pushes a draft unless it is told to publish", async () => {
  await made(staging, "agent-workflows", { name: "Drafted", definition: say("Say yes") });
  await sync("pull", staging);
  await edit("agent-workflows/drafted.json", "Say yes", "Say maybe");
  const { code, text } = await sync("push", staging);
  expect([code, text]).toEqual([0, expect.stringContaining("draft   agent-workflow drafted: state ask")]);
  expect(text).toContain("1 waiting to be published");
  expect(JSON.stringify((await staging.oven.call("GET", "agent-workflows/drafted")).body)).not.toContain("Say maybe");
  expect(await states(staging)).toEqual({ "agent-workflows/drafted.json": "file-changed" });
});

it("leaves a conflict to people: neither pull nor push goes over it without --force", async () => {
  await made(staging, "agent-workflows", { name: "Torn", definition: say("Say yes") });
  await sync("pull", staging);
  await changed(staging, "agent-workflows/torn", { definition: say("Say server") });
  await edit("agent-workflows/torn.json", "Say yes", "Say file");
  await edit("agents/clerk.json", '"name": "Clerk"', '"name": "Chief clerk"');
  expect(await states(staging)).toEqual({
    "agent-workflows/torn.json": "conflict",
    "agents/clerk.json": "file-changed",
  });
  expect((await sync("pull", staging)).code).toBe(1);
  expect((await bytes())["agent-workflows/torn.json"]).toContain("Say file");
  expect(await sync("push", staging, "--publish")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/CONFLICT +agent-workflows\/torn\.json/),
  });
  // All of it or nothing: the agent beside it is as it was, too.
  expect((await staging.oven.call("GET", "agents/clerk")).body.name).toBe("Clerk");
  expect(JSON.stringify((await staging.oven.call("GET", "agent-workflows/torn")).body)).toContain("Say server");
  expect((await sync("push", staging, "--publish", "--force")).code).toBe(0);
  expect(JSON.stringify((await staging.oven.call("GET", "agent-workflows/torn")).body)).toContain("Say file");
  expect(await states(staging)).toEqual({});

  await changed(staging, "agent-workflows/torn", { definition: say("Say server") });
  await edit("agent-workflows/torn.json", "Say file", "Say more");
  expect((await sync("pull", staging, "--force")).code).toBe(0);
  expect((await bytes())["agent-workflows/torn.json"]).toContain("Say server");
});

it("takes the state that both began with from another folder, for a checkout whose lock file is old", async () => {
  await made(staging, "agent-workflows", { name: "Built", definition: say("Say yes") });
  await sync("pull", staging);
  const lock = await readFile(join(dir, "oven.lock.json"));
  await edit("agent-workflows/built.json", "Say yes", "Say two");
  await sync("push", staging, "--publish");
  const before = await mkdtemp(join(tmpdir(), "oven-sync-base-"));
  try {
    await syncCommand.run(["pull", before, ...staging.options], () => undefined);
    await edit("agent-workflows/built.json", "Say two", "Say three");
    await writeFile(join(dir, "oven.lock.json"), lock);
    expect((await sync("push", staging, "--publish")).code).toBe(1);
    expect((await sync("push", staging, "--publish", "--base", before)).code).toBe(0);
  } finally {
    await rm(before, { recursive: true });
  }
  expect(JSON.stringify((await staging.oven.call("GET", "agent-workflows/built")).body)).toContain("Say three");
});

it("removes the file of what is gone only with --prune, and never one that is new or was changed", async () => {
  for (const name of ["Gone", "Edited"]) await made(staging, "agent-workflows", { name, definition: say("Say yes") });
  await sync("pull", staging);
  const text = await readFile(join(dir, "agent-workflows/gone.json"), "utf8");
  await writeFile(join(dir, "agent-workflows/fresh.json"), text.replaceAll('"gone"', '"fresh"'));
  await edit("agent-workflows/edited.json", "Say yes", "Say no");
  for (const slug of ["gone", "edited"]) await staging.oven.call("DELETE", `agent-workflows/${slug}`);
  const left = ["agent-workflows/edited.json", "agent-workflows/fresh.json"];
  await sync("pull", staging);
  expect(Object.keys(await states(staging))).toEqual([...left, "agent-workflows/gone.json"]);
  const { code, text: said } = await sync("pull", staging, "--prune");
  expect([code, said]).toEqual([0, expect.stringContaining("removed  agent-workflows/gone.json")]);
  expect(await states(staging)).toEqual(Object.fromEntries(left.map((path) => [path, "only-in-files"])));
  await sync("pull", staging, "--prune", "--force");
  expect(await states(staging)).toEqual({ "agent-workflows/fresh.json": "only-in-files" });
});

it("keeps two installations in step: pulled from one, pushed to the other, pulled again it is the same bytes", async () => {
  await sync("pull", staging);
  const files = await bytes();
  const away = await sync("push", production, "--publish", "--dry-run");
  expect(away).toMatchObject({ code: 0, text: expect.stringContaining("create  agent-workflow main") });
  expect(away.text).toContain("create  tables/orders.json");
  expect((await production.oven.call("GET", "workflows/notify")).status).toBe(404);
  const done = await sync("push", production, "--publish");
  expect(done, done.text).toMatchObject({ code: 0 });
  expect(await sync("pull", production)).toEqual({ code: 0, text: "" });
  expect(await bytes()).toEqual(files);
  expect((await sync("status", production)).code).toBe(0);
  expect((await sync("status", staging)).code).toBe(0);
  const { body: triggers } = await production.oven.call("GET", "triggers");
  expect(triggers).toMatchObject([{ name: "Orders", enabled: false }]);
});

it("pushes nothing over what somebody changes at this very moment", async () => {
  await made(staging, "agent-workflows", { name: "Busy", definition: say("Say yes") });
  await sync("pull", staging);
  await edit("agent-workflows/busy.json", "Say yes", "Say file");
  // Between the comparison and the plan, which is then one of what nobody has compared.
  const http = await serve(async (request) => {
    if (request.url.endsWith("/promotions/plan"))
      await changed(staging, "agent-workflows/busy", { definition: say("Say server") });
    return staging.oven.handle(request);
  });
  const lock = JSON.parse(await readFile(join(dir, "oven.lock.json"), "utf8"));
  const [known] = Object.values(lock.servers);
  lock.servers[`http://127.0.0.1:${http.port}`] = known;
  await writeFile(join(dir, "oven.lock.json"), JSON.stringify(lock));
  try {
    const options = ["--url", `http://127.0.0.1:${http.port}`, "--key", TEST_KEY];
    await expect(sync("push", { ...staging, options }, "--publish")).rejects.toThrow(
      "agent-workflows/busy.json was changed on the server at this moment",
    );
  } finally {
    await http.close();
  }
  expect(JSON.stringify((await staging.oven.call("GET", "agent-workflows/busy")).body)).toContain("Say server");
});

it("refuses a file that names what is not there, and says what", async () => {
  await sync("pull", staging);
  await edit("agents/clerk.json", '"model": "house"', '"model": "attic"');
  const { code, text } = await sync("push", staging, "--publish");
  expect([code, text]).toEqual([1, expect.stringContaining("MISSING model attic, used by clerk")]);
  expect((await staging.oven.call("GET", "agents/clerk")).body.model).toBe("house");
});

it("says what promotion cannot take: columns of a table that is there, a trigger that is gone, a numbered call", async () => {
  await sync("pull", staging);
  await edit("tables/zones.json", '"name": "Zones"', '"name": "Regions"');
  const table = await sync("push", staging, "--publish");
  expect([table.code, table.text]).toEqual([1, expect.stringContaining("keeps its columns")]);
  await sync("pull", staging, "--force");

  const path = join(dir, "agent-workflows/main.json");
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), triggers: [] }));
  const trigger = await sync("push", staging, "--publish");
  expect([trigger.code, trigger.text]).toEqual([1, expect.stringContaining("promotion deletes no triggers")]);
  await sync("pull", staging, "--force");

  const input = { workflow: "notify", workflowVersion: 1 };
  const call = { invoke: { src: "core.callWorkflow", input, onDone: "done" } };
  await made(staging, "workflows", {
    name: "Numbered",
    definition: { initial: "call", states: { call, done: final } },
  });
  const numbered = await sync("pull", staging);
  expect([numbered.code, numbered.text]).toEqual([0, expect.stringMatching(/not exported +workflows\/numbered\.json/)]);
  expect((await sync("status", staging)).code).toBe(0);
});

it("refuses what it does not understand instead of doing half of it", async () => {
  await sync("pull", staging);
  await expect(sync("status", staging, "--prune")).rejects.toThrow("--prune means nothing to sync status");
  const away = join(dir, "no-such-folder");
  for (const way of ["push", "status"])
    await expect(syncCommand.run([way, away, ...staging.options], () => undefined)).rejects.toThrow(
      "there is no folder",
    );
  await expect(sync("push", staging, "--base", away)).rejects.toThrow("there is no folder");
  await expect(sync("merge", staging)).rejects.toThrow("usage: oven sync");
  await expect(sync("pull", { ...staging, options: [...staging.options.slice(0, 2), "--key", "no"] })).rejects.toThrow(
    "UNAUTHENTICATED",
  );
  const { key } = await made(staging, "api-keys", { name: "Half", permissions: ["workflows.read", "agents.read"] });
  const half = { ...staging, options: [...staging.options.slice(0, 2), "--key", key] };
  await expect(sync("pull", half, "--prune")).rejects.toThrow("(agent-workflow, agent, trigger, table)");
  await writeFile(join(dir, "agents/other.json"), await readFile(join(dir, "agents/clerk.json")));
  await expect(sync("push", staging)).rejects.toThrow("agents/other.json: what is in it belongs to agents/clerk.json");
  await writeFile(join(dir, "agents/other.json"), "{");
  await expect(sync("push", staging)).rejects.toThrow("other.json");
  await rm(join(dir, "agents/other.json"));
  const whole = (await staging.oven.call("GET", "agent-workflows/main/promotion")).body;
  await writeFile(join(dir, "agent-workflows/main.json"), JSON.stringify(whole));
  await expect(sync("pull", staging)).rejects.toThrow("has more than one workflow");
});
