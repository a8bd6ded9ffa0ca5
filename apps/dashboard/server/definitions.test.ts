import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertKey } from "./testing/strangers.ts";

const final = { type: "final" };
const one = (state: object, more: object = {}) => ({ initial: "one", states: { one: state, done: final }, ...more });
const node = (src: string, input: object, onDone: unknown = "done") => ({ invoke: { src, input, onDone } });
const valid = one(node("core.log", { message: "hello" }));

describe("definitions over REST", () => {
  let oven: TestOven;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
  });
  afterAll(() => oven.stop());

  const create = (body: object) => oven.call("POST", "agent-workflows", body);

  it.each([
    ["an unknown node", one(node("agent.lmm", { prompt: "x" })), "$.states.one.invoke.src", "agent.llm"],
    ["a missing target", one(node("core.log", { message: "x" }, "doen")), "$.states.one.invoke.onDone", "done"],
    ["an unreachable state", { ...valid, states: { ...valid.states, island: final } }, "$.states.island", ""],
    [
      "a graph without a way out",
      { initial: "one", states: { one: node("core.log", { message: "x" }, "one") } },
      "$.states.one",
      "",
    ],
    [
      "a cycle that spins by itself",
      { initial: "a", states: { a: { always: "b" }, b: { always: "a" } } },
      "$.states.a",
      "",
    ],
    ["a wrong path", one(node("core.log", { message: "{{ $.a..b }}" })), "$.states.one.invoke.input.message", ""],
    ["a wrong type", one(node("core.log", { message: 7 })), "$.states.one.invoke.input.message", ""],
    ["an unknown key", one({ ...node("core.log", { message: "x" }), onDnoe: "done" }), "$.states.one.onDnoe", "onDone"],
    [
      "`always` beside `invoke`",
      one({ ...node("core.log", { message: "x" }), always: "done" }),
      "$.states.one.always",
      "onDone",
    ],
    ["a reserved state id", { initial: "trigger", states: { trigger: final } }, "$.states.trigger", ""],
    [
      "a broken CEL expression",
      one({ always: [{ target: "done", guard: { type: "cel", params: { expression: "1 +" } } }, "done"] }),
      "$.states.one.always[0].guard",
      "",
    ],
    [
      "a loop, which is not run yet",
      one({ loop: { type: "forEach", collection: "$.x", bodyInitial: "b", bodyStates: { b: final } } }),
      "$.states.one.loop",
      "",
    ],
  ])("refuses %s with path, rule, message and fix, and changes nothing", async (_name, definition, path, fix) => {
    const before = await oven.db.query("select count(*) as rows from agent_workflows");
    const refused = await create({ name: "Broken", definition });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_DEFINITION", details: { problems: expect.any(Array) } } },
    });
    const problem = refused.body.error.details.problems.find((entry: { path: string }) => entry.path.startsWith(path));
    expect(problem, JSON.stringify(refused.body.error.details.problems)).toMatchObject({
      rule: expect.any(String),
      message: expect.any(String),
      fix: expect.stringContaining(fix),
    });
    expect(await oven.db.query("select count(*) as rows from agent_workflows")).toEqual(before);
    const { body } = await oven.call("POST", "agent-workflows/validate", { definition });
    expect(body.problems).toContainEqual(problem);
  });

  it("refuses a slug that is taken, and finds a free one when none is asked for", async () => {
    expect((await create({ name: "Taken", slug: "taken", definition: valid })).status).toBe(201);
    expect(await create({ name: "Taken", slug: "taken", definition: valid })).toMatchObject({
      status: 409,
      body: { error: { code: "SLUG_TAKEN", path: "$.slug" } },
    });
    expect((await create({ name: "Taken", definition: valid })).body.slug).toBe("taken-2");
  });

  it("makes a version for each change outside meta, refuses a stale one, and restores [004-290]", async () => {
    const { body: first } = await create({ name: "Versions", definition: valid });
    const moved = { ...valid, meta: { positions: { one: [1, 2] } } };
    expect(
      (await oven.call("PUT", `agent-workflows/${first.id}`, { definition: moved, version: 1 })).body,
    ).toMatchObject({ version: 1, definition: moved });
    const changed = one(node("core.log", { message: "changed" }));
    expect(
      (await oven.call("PUT", `agent-workflows/${first.id}`, { definition: changed, version: 1, note: "why" })).body
        .version,
    ).toBe(2);
    expect(await oven.call("PUT", `agent-workflows/${first.id}`, { definition: valid, version: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: "STALE_VERSION", details: { current: { version: 2 } } } },
    });
    const { body: versions } = await oven.call("GET", `agent-workflows/${first.id}/versions`);
    expect(versions).toMatchObject([{ version: 2, description: "why" }, { version: 1 }]);
    const restored = await oven.call("POST", `agent-workflows/${first.id}/versions/${versions[1].id}/restore`);
    expect(restored.body).toMatchObject({
      version: 3,
      definition: { states: { one: { invoke: { input: { message: "hello" } } } } },
    });
  });

  it("keeps tags normalised beside the definition, filters by all of them, and changes those of several at once", async () => {
    const tags = ["  Customer  Care ", "BETA", "beta"];
    const { body: first } = await create({ name: "Tagged", definition: valid, tags });
    expect(first.tags).toEqual(["beta", "customer care"]);
    const exported = { ...valid, meta: { tags: ["Beta"], notes: {} } };
    const { body: second } = await create({ name: "Tagged from a file", definition: exported });
    expect(second).toMatchObject({ tags: ["beta"], definition: { meta: { notes: {} } } });
    expect(second.definition.meta.tags).toBeUndefined();
    const saved = await oven.call("PUT", `agent-workflows/${second.id}`, { tags: ["beta", "x"], version: 1 });
    expect(saved.body).toMatchObject({ tags: ["beta", "x"], version: 1 });
    const found = async (filter: object) =>
      (await oven.call("GET", `agent-workflows?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    expect(await found({ tags: ["beta", "customer care"] })).toEqual([first.id]);
    expect(await found({ tags: "beta" })).toEqual([first.id, second.id]);
    expect((await oven.call("GET", 'agent-workflows?filter={"tags":7}')).status).toBe(400);
    expect((await oven.call("GET", "agent-workflow-tags")).body).toEqual([
      { tag: "beta", count: 2 },
      { tag: "customer care", count: 1 },
      { tag: "x", count: 1 },
    ]);
    const change = (body: object) => oven.call("POST", "agent-workflow-tags", body);
    const both = { ids: [first.id, second.id] };
    const changed = await change({ ...both, add: ["Live"], remove: ["X"] });
    expect(changed.body.map((row: { tags: string[] }) => row.tags)).toEqual([
      ["beta", "customer care", "live"],
      ["beta", "live"],
    ]);
    expect((await change({ ...both, add: ["live"] })).body).toEqual([]);
    // Twenty fit into the second, not into the first: neither is changed.
    const many = Array.from({ length: 18 }, (_, n) => `t${n}`);
    expect(await change({ ...both, add: many })).toMatchObject({
      status: 422,
      body: { error: { code: "TOO_MANY_TAGS", message: expect.stringContaining("Tagged would carry 21") } },
    });
    expect((await oven.call("GET", `agent-workflows/${second.id}`)).body.tags).toEqual(["beta", "live"]);
    expect((await change({ ids: [first.id, 999_999], add: ["y"] })).status).toBe(404);
  });

  it.each([
    ["too long", ["x".repeat(41)], "40"],
    ["of nothing", ["  "], "letter"],
    ["of other signs", ["a<b"], "letters"],
    ["too many", Array.from({ length: 21 }, (_, n) => `t${n}`), "20"],
  ])("refuses tags that are %s, and says what may be", async (_name, tags, said) => {
    const { status, body } = await create({ name: "X", definition: valid, tags });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error)).toContain(said);
  });

  it("keeps the tags of one tenant from another", async () => {
    const { body: mine } = await create({ name: "Secret", definition: valid, tags: ["secret-plan"] });
    const { key } = await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    const theirs = async (method: string, body?: object) => {
      const response = await oven.handle(
        new Request("http://localhost:3000/api/agent-workflow-tags", {
          method,
          headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return { status: response.status, text: await response.text() };
    };
    expect((await theirs("GET")).text).not.toContain("secret-plan");
    expect((await theirs("POST", { ids: [mine.id], add: ["theirs"] })).status).toBe(404);
    expect((await oven.call("GET", `agent-workflows/${mine.id}`)).body.tags).toEqual(["secret-plan"]);
    const { body: shared } = await oven.call("GET", "agent-workflows/support-reply");
    if (shared.tenantId === null)
      expect((await oven.call("POST", "agent-workflow-tags", { ids: [shared.id], add: ["x"] })).status).toBe(403);
  });

  it("writes the config fields into the definition, where they win, and mirrors them in the row [004-104]", async () => {
    const definition = { ...valid, agentConfig: { model: "smart" } };
    const { body } = await create({ name: "Configured", definition, agentConfig: { model: "fast" }, mcpExport: true });
    expect(body).toMatchObject({
      agentConfig: { model: "fast" },
      mcpExport: true,
      definition: { agentConfig: { model: "fast" }, mcpExport: true },
    });
  });

  it.each([
    ["an unknown field", { name: "X", definition: valid, surprise: 1 }],
    ["a name of the wrong type", { name: 7, definition: valid }],
    ["a reserved slug", { name: "X", slug: "oven", definition: valid }],
    ["no definition", { name: "X" }],
  ])("refuses %s in the body", async (_name, body) => {
    expect((await create(body)).status).toBe(400);
  });

  it("ignores read-only fields and takes neither tenant nor id from the client", async () => {
    const { body } = await create({ name: "Mine", definition: valid, id: 99_999, tenantId: 7, createdBy: 42 });
    expect(body).toMatchObject({ tenantId: 1, createdBy: 1 });
    expect(body.id).not.toBe(99_999);
  });

  it("checks the payload against the workflow's schema before anything starts", async () => {
    const refused = await oven.call("POST", "agent-workflows/support-reply/execute", { input: { message: 7 } });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT", path: "$.input.message" } } });
    const missing = await oven.call("POST", "agent-workflows/support-reply/execute", { input: {} });
    expect(missing.body.error.path).toBe("$.input.message");
  });

  it("takes definitions of several megabytes, and no more than eight", async () => {
    const large = (bytes: number) => one(node("core.log", { message: "x".repeat(bytes) }));
    expect((await create({ name: "Large", definition: large(2_000_000) })).status).toBe(201);
    expect((await create({ name: "Too large", definition: large(9_000_000) })).status).toBe(413);
    const input = { input: { message: "x".repeat(2_000_000) } };
    expect((await oven.call("POST", "agent-workflows/support-reply/execute", input)).status).toBe(413);
  });

  it("shows definitions in reading order, whatever the database does with keys", async () => {
    const { body } = await oven.call("GET", "agent-workflows/support-reply");
    expect(Object.keys(body.definition.states).slice(0, 3)).toEqual(["prompt", "draft", "review"]);
    expect(Object.keys(body.definition)[0]).toBe("id");
  });
});
