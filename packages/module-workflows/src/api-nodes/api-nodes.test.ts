import type { Principal } from "@oven/contract";
import { createRuntime, createSystemModule, defineModule, defineRoute, noContent, ok } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createWorkflowsModule } from "../workflows.module.ts";

const calls: { principal: Principal; key: string | null; body: unknown }[] = [];
const Note = z.strictObject({ id: z.int(), text: z.string(), tags: z.array(z.string()) });
const Params = z.strictObject({ id: z.coerce.number().int() });

/** A module as its author writes it: routes, and not a word about nodes. */
const notes = defineModule({
  name: "module-notes",
  namespace: "notes",
  description: "Notes.",
  dependencies: ["module-roles"],
  permissions: [
    { id: "notes.read", title: "Read notes" },
    { id: "notes.write", title: "Write notes" },
  ],
  routes: [
    defineRoute({
      method: "GET",
      path: "notes",
      operation: "notes.list",
      summary: "List notes",
      access: { permission: "notes.read" },
      query: z.object({ limit: z.string().transform(Number).pipe(z.int().max(10)).optional() }),
      response: z.array(Note),
      handler: async ({ query }) =>
        ok([1, 2, 3].slice(0, query.limit ?? 3).map((id) => ({ id, text: `Note ${id}`, tags: [] }))),
    }),
    defineRoute({
      method: "PUT",
      path: "notes/[id]",
      operation: "notes.update",
      summary: "Change a note",
      access: { permission: "notes.write" },
      effect: "idempotent",
      params: Params,
      body: z.strictObject({ text: z.string().min(2), tags: z.array(z.string()).default(["new"]) }),
      response: Note,
      handler: async ({ params, body, principal, request }) => {
        calls.push({ principal, key: request.headers.get("idempotency-key"), body });
        return ok({ id: params.id, ...body });
      },
    }),
    defineRoute({
      method: "POST",
      path: "notes/[id]/copy",
      operation: "notes.copy",
      summary: "Copy a note",
      access: "session",
      params: Params,
      body: z.strictObject({ id: z.int() }),
      response: z.strictObject({ from: z.int(), to: z.int() }),
      handler: async ({ params, body }) => ok({ from: params.id, to: body.id }),
    }),
    defineRoute({
      method: "GET",
      path: "notes/count",
      operation: "notes.count",
      summary: "Count notes",
      access: { permission: "notes.read" },
      response: z.int(),
      handler: async () => ok(3),
    }),
    defineRoute({
      method: "DELETE",
      path: "notes/[id]",
      operation: "notes.delete",
      summary: "Delete a note",
      access: { permission: "notes.write" },
      params: Params,
      handler: async () => noContent(),
    }),
    defineRoute({
      method: "POST",
      path: "notes/secret",
      operation: false,
      summary: "Not offered",
      access: "session",
      handler: async () => noContent(),
    }),
  ],
});

describe("API nodes", () => {
  let oven: TestOven;
  let count = 0;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), notes];
    oven = await startTestOven({ createRuntime, modules });
  });
  beforeEach(() => {
    calls.length = 0;
  });
  afterAll(() => oven.stop());

  const node = (src: string, input: object, onDone = "done") => ({ invoke: { src, input, onDone } });
  async function create(states: object) {
    count++;
    const definition = { initial: "one", states: { ...states, done: { type: "final" } } };
    return oven.call("POST", "workflows", { name: `Notes ${count}`, definition });
  }
  async function run(states: object, input: object = {}, key?: string) {
    const created = await create(states);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const options = key === undefined ? {} : { key };
    const path = `workflows/${created.body.id}/execute?wait=30`;
    const { body } = await oven.call("POST", path, { input }, options);
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }

  it("appear for every route of a module that offers an operation, with nothing else written [004-017]", async () => {
    const { body: types } = await oven.call("GET", "node-types?module=module-notes");
    expect(types.map(({ id }: { id: string }) => id).sort()).toEqual([
      "notes.notes.copy",
      "notes.notes.count",
      "notes.notes.delete",
      "notes.notes.list",
      "notes.notes.update",
    ]);
    expect(types.find(({ id }: { id: string }) => id === "notes.notes.update")).toMatchObject({
      category: "api",
      kind: "tool",
      effect: "idempotent",
      permissions: ["notes.write"],
      inputSchema: {
        properties: { id: {}, text: { minLength: 2 }, tags: { type: "array" } },
        required: ["id", "text"],
      },
      outputSchema: { properties: { id: { type: "integer" }, text: { type: "string" } } },
    });
    const { body: grouped } = await oven.call("GET", "node-types?category=api&grouped=true");
    expect(Object.keys(grouped)).toEqual(["api"]);
  });

  it("run as whoever started the run, with the step's idempotency key [004-017]", async () => {
    const body = await run(
      { one: node("notes.notes.update", { id: "$.trigger.id", text: "Hi {{ $.trigger.name }}" }) },
      { id: 7, name: "Ada" },
    );
    expect(body.nodes[0]).toMatchObject({
      nodeType: "notes.notes.update",
      status: "completed",
      output: { id: 7, text: "Hi Ada", tags: ["new"] },
    });
    expect(calls).toEqual([
      {
        // What the version was granted: what its steps need.
        principal: expect.objectContaining({ tenantId: 1, permissions: ["notes.write"] }),
        key: expect.stringMatching(/^\S{16,}$/),
        body: { text: "Hi Ada", tags: ["new"] },
      },
    ]);
  });

  it("hand lists on as lists, scalars as result [004-279]", async () => {
    const body = await run({
      one: node("notes.notes.list", { limit: "2" }, "two"),
      two: node("notes.notes.count", {}, "three"),
      three: node("notes.notes.delete", { id: 1 }, "four"),
      four: node("core.transform", {
        mapping: { last: "$.one_output[-1].text", same: "$.one[0].id", count: "$.two_output.result" },
      }),
    });
    expect(body.nodes.map(({ output }: { output: unknown }) => output)).toEqual([
      [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })],
      { result: 3 },
      { result: null },
      { last: "Note 2", same: 1, count: 3 },
    ]);
  });

  it("take a body whose names clash with the path under its own name", async () => {
    const body = await run({ one: node("notes.notes.copy", { id: 1, body: { id: 2 } }) });
    expect(body.nodes[0].output).toEqual({ from: 1, to: 2 });
  });

  it("are checked when a workflow is published, and again when the values are known", async () => {
    const refused = await create({ one: node("notes.notes.update", { id: 1, txt: "Hi" }) });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.problems.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(["$.states.one.invoke.input.text", "$.states.one.invoke.input.txt"]),
    );
    const unknown = await create({ one: node("notes.notes.updat", {}) });
    expect(unknown.body.error.fix).toContain("notes.notes.update");
    const late = await run({ one: node("notes.notes.update", { id: 1, text: "$.trigger.text" }) }, { text: "x" });
    expect(late).toMatchObject({ status: "failed", errorInfo: { nodeId: "one" } });
    expect(calls).toEqual([]);
  });

  it("cannot do more than the key that started the run", async () => {
    const { body: made } = await oven.call("POST", "api-keys", {
      name: "reader",
      permissions: ["workflows.execute", "notes.read"],
    });
    const list = await run({ one: node("notes.notes.list", {}) }, {}, made.key);
    expect(list.status).toBe("completed");
    const update = await run({ one: node("notes.notes.update", { id: 1, text: "Hi" }) }, {}, made.key);
    expect(update).toMatchObject({ status: "failed", errorInfo: { code: "FORBIDDEN", nodeId: "one" } });
    expect(calls).toEqual([]);
  });
});
