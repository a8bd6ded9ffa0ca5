import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import {
  createSystemModule,
  defineAction,
  defineModule,
  defineRoute,
  defineTool,
  invokeRoute,
  noContent,
  ok,
  Registry,
  type ServiceMap,
} from "@oven/module-registry";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toolRoutes } from "../routes/tools.routes.ts";
import { createToolService, type ToolCallOptions, type ToolService } from "./tool-service.ts";

const calls: object[] = [];

const shelf = defineModule({
  name: "module-shelf",
  namespace: "shelf",
  description: "Books on a shelf.",
  dependencies: [],
  tools: [
    defineTool({
      id: "shelf.find",
      title: "Find a book",
      description: "Finds a book by its title",
      input: z.strictObject({ title: z.string().min(2), limit: z.int().max(10).default(3) }),
      output: z.strictObject({ found: z.int() }),
      effect: "pure",
      permission: "shelf.read",
      run: async ({ input, idempotencyKey }) => {
        calls.push({ input, idempotencyKey });
        return { found: input.title === "broken" ? "many" : input.limit };
      },
    }),
    defineTool({
      id: "shelf.burn",
      title: "Burn a book",
      description: "Never comes back",
      input: z.strictObject({}),
      output: z.null(),
      effect: "at-most-once",
      needsApproval: true,
      permission: "shelf.burn",
      timeoutMs: 20,
      run: () => new Promise(() => {}),
    }),
  ],
  routes: [
    defineRoute({
      method: "PUT",
      path: "books/[id]",
      operation: "books.update",
      summary: "Change a book",
      access: { permission: "shelf.write" },
      params: z.strictObject({ id: z.string() }),
      query: z.strictObject({ dry: z.boolean().optional() }),
      body: z.strictObject({ title: z.string() }),
      response: z.strictObject({ id: z.string(), title: z.string(), dry: z.boolean() }),
      handler: async ({ params, query, body }) => ok({ ...params, ...body, dry: query.dry ?? false }),
    }),
    defineRoute({
      method: "POST",
      path: "books/[id]/copy",
      operation: "books.copy",
      summary: "Copy a book",
      access: "session",
      params: z.strictObject({ id: z.string() }),
      body: z.strictObject({ id: z.string(), note: z.string().optional() }),
      handler: async ({ params, body }) => ok({ from: params.id, to: body.id }),
    }),
    defineRoute({
      method: "DELETE",
      path: "books/[id]",
      operation: false,
      summary: "Hidden",
      access: "session",
      handler: async () => noContent(),
    }),
  ],
});

const desk = defineModule({
  name: "module-desk",
  namespace: "desk",
  description: "Where books are lent.",
  dependencies: [],
  routes: [
    defineRoute({
      method: "POST",
      path: "loans/[id]/extend",
      operation: "loans.extend",
      summary: "Extend a loan",
      access: { permission: "loans.write" },
      needsApproval: true,
      params: z.strictObject({ id: z.string() }),
      body: z.strictObject({ days: z.number(), force: z.boolean().default(false) }),
      response: z.strictObject({ id: z.string(), days: z.number(), force: z.boolean() }),
      handler: async ({ params, body }) => ok({ ...params, ...body }),
    }),
    defineRoute({
      method: "POST",
      path: "loans/[id]/shorten",
      operation: "loans.shorten",
      summary: "Shorten a loan",
      access: { permission: "loans.write" },
      needsApproval: true,
      params: z.strictObject({ id: z.string() }),
      handler: async ({ params }) => ok(params),
    }),
    defineRoute({
      method: "GET",
      path: "loans",
      operation: "loans.list",
      summary: "List loans",
      access: { permission: "loans.read" },
      handler: async () => ok([]),
    }),
  ],
  actions: [
    defineAction({
      name: "extendLoan",
      title: "Extend a loan by weeks",
      description: "Gives a reader more time for a book",
      input: z.strictObject({ loan: z.int(), weeks: z.int().min(1).max(4) }),
      permissions: ["loans.extend", "readers.see"],
      covers: "loans.extend",
      toArguments: ({ loan, weeks }) => ({ id: String(loan), days: weeks * 7 }),
    }),
    defineAction({
      name: "shortenLoan",
      title: "Shorten a loan",
      description: "Takes time for a book away",
      input: z.strictObject({ loan: z.int() }),
      permissions: ["loans.write"],
      needsApproval: false,
      covers: "loans.shorten",
      toArguments: ({ loan }) => ({ id: String(loan) }),
    }),
    defineAction({
      name: "countLoans",
      title: "Count loans",
      description: "How many books are out",
      input: z.strictObject({ of: z.string() }),
      output: z.strictObject({ count: z.int() }),
      permissions: ["loans.read"],
      effect: "pure",
      run: async ({ input, idempotencyKey }) => ({ count: input.of === "broken" ? "many" : idempotencyKey.length }),
    }),
  ],
});

const services = {} as ServiceMap; // cast: the routes of these tests use the tool service only, set below
const registry = new Registry();
registry.register(createSystemModule());
registry.register(shelf);
registry.register(desk);
const tools: ToolService = createToolService({ registry, services });
services.tools = tools;

const reader: Principal = { kind: "user", userId: 1, tenantId: 1, permissions: ["shelf.read", "tools.read"] };
const admin: Principal = { ...reader, permissions: ["*"] };
const options = { principal: admin, signal: AbortSignal.timeout(5_000), idempotencyKey: "k" };
/** What is released by review 3, each once. */
const released = new Set<string>();
services.releases = {
  use: async ({ tool, arguments: args, release }) => release.id === 3 && released.delete(JSON.stringify([tool, args])),
};
const run = { executionId: 12, rootExecutionId: 12, nodeId: "pay", visit: 1, item: null };
const release = { id: 3, digest: "of-what-was-shown" };
/** As a step whose review has released this call. */
function callReleased(tool: string, args: JsonObject, more: Partial<ToolCallOptions> = {}) {
  released.add(JSON.stringify([tool, args]));
  return tools.call(tool, args, { ...options, run, release, ...more });
}
const ids = (infos: ToolInfo[]) => infos.map(({ id }) => id).filter((id) => id.startsWith("shelf."));

test("tools and routes with an operation are offered with their true schemas", () => {
  expect(ids(tools.list(admin))).toEqual(["shelf.books.copy", "shelf.books.update", "shelf.burn", "shelf.find"]);
  expect(tools.get("shelf.find")).toEqual({
    id: "shelf.find",
    title: "Find a book",
    description: "Finds a book by its title. Part of shelf: Books on a shelf.",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 2 },
        limit: { type: "integer", default: 3, maximum: 10, minimum: expect.any(Number) },
      },
      required: ["title"],
      additionalProperties: false,
    },
    outputSchema: expect.objectContaining({ type: "object", required: ["found"] }),
    effect: "pure",
    needsApproval: false,
    permission: "shelf.read",
    source: "tool",
  });
});

test("[004-261] an action is a tool with its own schema and all its permissions, instead of the bare route that it covers", () => {
  const names = tools.list(admin).flatMap(({ id }) => (id.startsWith("desk.") ? [id] : []));
  expect(names).toEqual(["desk.countLoans", "desk.extendLoan", "desk.loans.list", "desk.shortenLoan"]);
  expect(tools.get("desk.loans.extend")).toBeUndefined();
  expect(tools.get("desk.extendLoan")).toMatchObject({
    title: "Extend a loan by weeks",
    inputSchema: { properties: { loan: {}, weeks: {} }, required: ["loan", "weeks"] },
    outputSchema: { properties: { id: {}, days: {}, force: {} } },
    effect: "at-least-once",
    needsApproval: true,
    permission: "loans.extend",
    permissions: ["loans.extend", "readers.see", "loans.write"],
    source: "action",
  });
  expect(tools.get("desk.countLoans")).toMatchObject({
    effect: "pure",
    needsApproval: false,
    permission: "loans.read",
  });
});

test("[004-261] an action calls the route that it covers, or its own code, checked on both sides", async () => {
  expect(await callReleased("desk.extendLoan", { loan: 7, weeks: 2 })).toEqual({
    id: "7",
    days: 14,
    force: false,
  });
  expect(await tools.call("desk.countLoans", { of: "all" }, options)).toEqual({ count: 1 });
  await expect(tools.call("desk.countLoans", { of: "broken" }, options)).rejects.toMatchObject({
    code: "TOOL_OUTPUT_INVALID",
  });
  const unfit: JsonObject[] = [{ loan: 7, weeks: 9 }, { loan: 7, weeks: 1, force: true }, { loan: 7 }];
  for (const args of unfit) {
    await expect(tools.call("desk.extendLoan", args, options)).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
    expect(() => tools.check("desk.extendLoan", args)).toThrow(expect.objectContaining({ code: "TOOL_INPUT_INVALID" }));
  }
  expect(() => tools.check("desk.extendLoan", { loan: 7, weeks: 1 })).not.toThrow();
});

test.each(["loans.extend", "readers.see", "loans.write"])(
  "[004-261] without %s an action is neither shown nor called",
  async (missing) => {
    const permissions = ["loans.extend", "readers.see", "loans.write"].filter((one) => one !== missing);
    const principal = { ...admin, permissions };
    expect(tools.list(principal).map(({ id }) => id)).not.toContain("desk.extendLoan");
    expect(tools.select(["desk.extendLoan"], principal)).toEqual([]);
    await expect(tools.call("desk.extendLoan", { loan: 7, weeks: 2 }, { ...options, principal })).rejects.toMatchObject(
      {
        code: "FORBIDDEN",
        details: { permission: missing },
      },
    );
  },
);

test.each<[object, string]>([
  [{ covers: "loans.lose", toArguments: () => ({}) }, "no operation"],
  [{ covers: "loans.list" }, "either"],
  [{ covers: "loans.list", toArguments: () => ({}), run: async () => null }, "either"],
  [{ run: async () => null }, "needs `run` and `effect`"],
])("an action that leads nowhere (%#) stops the start", (more, message) => {
  const action = { name: "x", title: "X", description: "X", input: z.strictObject({}), permissions: ["loans.read"] };
  const module = { ...desk, name: "module-other", namespace: "other", actions: [{ ...action, ...more }] };
  // cast: a tuple that a spread widened
  const wrong = module as unknown as typeof desk;
  expect(() => registry.register(wrong)).toThrow(
    expect.objectContaining({ code: "ACTION_INVALID", message: expect.stringContaining(message) }),
  );
});

test("a route's params, query and body are one object; clashing ones stand apart", () => {
  expect(tools.get("shelf.books.update")?.inputSchema).toMatchObject({
    properties: { id: { type: "string" }, dry: { type: "boolean" }, title: { type: "string" } },
    required: ["id", "title"],
    additionalProperties: false,
  });
  expect(tools.get("shelf.books.copy")?.inputSchema).toMatchObject({
    properties: { id: { type: "string" }, body: { properties: { id: {}, note: {} } } },
    required: ["id", "body"],
  });
});

test("[004-043] a route is called with each argument in its place", async () => {
  expect(await tools.call("shelf.books.update", { id: 7, dry: true, title: "Emma" }, options)).toEqual({
    id: "7",
    dry: true,
    title: "Emma",
  });
  expect(await tools.call("shelf.books.copy", { id: "1", body: { id: "2" } }, options)).toEqual({ from: "1", to: "2" });
  const wrong = tools.call("shelf.books.update", { id: "7", titel: "Emma" }, options);
  await expect(wrong).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID", path: "$.titel" });
  await expect(tools.call("shelf.books.update", { id: "7" }, options)).rejects.toBeInstanceOf(OvenError);
});

test("[004-046] arguments are checked before the tool runs, and defaults filled in", async () => {
  calls.length = 0;
  await expect(tools.call("shelf.find", { title: "E" }, options)).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
    path: "$.title",
  });
  await expect(tools.call("shelf.find", '{"title": "Em', options)).rejects.toMatchObject({
    message: expect.stringContaining("not JSON"),
  });
  // What a model wrote with a number that would be changed: it is told the number and its place.
  await expect(tools.call("shelf.find", '{"title": "Emma", "id": 7615917337495251231}', options)).rejects.toMatchObject(
    {
      code: "TOOL_INPUT_INVALID",
      path: "$.id",
      message: expect.stringContaining("7615917337495251231 at $.id"),
      fix: expect.stringContaining("Send it as text"),
    },
  );
  expect(() => tools.check("shelf.find", { title: "E" })).toThrow(
    expect.objectContaining({ code: "TOOL_INPUT_INVALID" }),
  );
  expect(() => tools.check("shelf.books.update", { id: 7 })).toThrow(expect.objectContaining({ path: "$.title" }));
  tools.check("shelf.find", { title: "Emma" });
  tools.check("shelf.books.update", { id: 7, title: "Emma" });
  expect(calls).toEqual([]);
  expect(await tools.call("shelf.find", { title: "Emma" }, options)).toEqual({ found: 3 });
  expect(calls).toEqual([{ input: { title: "Emma", limit: 3 }, idempotencyKey: "k" }]);
});

test("[004-221] a caller sees and calls only what its permissions cover", async () => {
  expect(ids(tools.list(reader))).toEqual(["shelf.books.copy", "shelf.find"]);
  expect(ids(tools.select(["shelf.*"], reader))).toEqual(["shelf.books.copy", "shelf.find"]);
  const forbidden = { ...options, principal: reader };
  await expect(tools.call("shelf.burn", {}, forbidden)).rejects.toMatchObject({ status: 403 });
  await expect(tools.call("shelf.books.update", { id: "1", title: "x" }, forbidden)).rejects.toMatchObject({
    status: 403,
  });
});

test("patterns select by id and by namespace; one that names nothing is an error", () => {
  expect(ids(tools.select(["shelf.find", "shelf.books.*"], admin))).toEqual([
    "shelf.books.copy",
    "shelf.books.update",
    "shelf.find",
  ]);
  expect(ids(tools.select(["*"], admin))).toHaveLength(4);
  expect(tools.select([], admin)).toEqual([]);
  expect(() => tools.select(["shelf.fnd"], admin)).toThrow(
    expect.objectContaining({ code: "TOOL_UNKNOWN", fix: expect.stringContaining("shelf.find") }),
  );
  expect(() => tools.select(["attic.*"], admin)).toThrow(expect.objectContaining({ code: "TOOL_UNKNOWN" }));
});

test("an answer that the tool does not declare, an unknown tool and a hanging one fail", async () => {
  await expect(tools.call("shelf.find", { title: "broken" }, options)).rejects.toMatchObject({
    code: "TOOL_OUTPUT_INVALID",
  });
  await expect(tools.call("shelf.nothing", {}, options)).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
  await expect(callReleased("shelf.burn", {})).rejects.toMatchObject({ code: "TOOL_TIMEOUT", retryable: true });
});

describe("what needs approval", () => {
  const extend = { loan: 7, weeks: 2 };
  const refused = { code: "APPROVAL_NEEDED", status: 409, fix: expect.stringContaining("workflow") };

  test.each<[string, JsonObject, Partial<ToolCallOptions>]>([
    ["a tool without a release", {}, {}],
    ["a tool with a release, outside of runs", {}, { release }],
    ["a tool with a release of other arguments", { loan: 7, weeks: 3 }, { release, run }],
    ["a tool with the release of another review", extend, { release: { ...release, id: 4 }, run }],
  ])("is not called: %s", async (_name, args, more) => {
    released.clear();
    released.add(JSON.stringify(["desk.extendLoan", extend]));
    const id = "loan" in args ? "desk.extendLoan" : "shelf.burn";
    await expect(tools.call(id, args, { ...options, ...more })).rejects.toMatchObject(refused);
  });

  test("is called once with a release, and only with arguments that fit", async () => {
    await expect(callReleased("desk.extendLoan", { loan: 7, weeks: 9 })).rejects.toMatchObject({
      code: "TOOL_INPUT_INVALID",
    });
    expect(await callReleased("desk.extendLoan", extend)).toMatchObject({ days: 14 });
    await expect(tools.call("desk.extendLoan", extend, { ...options, run, release })).rejects.toMatchObject(refused);
  });

  test("stays so where an action says that it does not: its route has the last word", async () => {
    expect(tools.get("desk.shortenLoan")).toMatchObject({ needsApproval: true });
    await expect(tools.call("desk.shortenLoan", { loan: 7 }, options)).rejects.toMatchObject(refused);
  });

  test("is never called where no module brings reviews", async () => {
    const alone = createToolService({ registry, services: {} as ServiceMap }); // cast: a runtime without reviews
    await expect(alone.call("desk.extendLoan", extend, { ...options, run, release })).rejects.toMatchObject(refused);
  });
});

test("GET tools lists with filter, search, sort and range", async () => {
  const [route] = toolRoutes;
  if (route === undefined) throw new Error("no route");
  const list = async (query: Record<string, string>) => {
    const answer = await invokeRoute(route, { query }, { principal: admin, services, signal: options.signal });
    return (answer as ToolInfo[]).map(({ id }) => id); // cast: the route's response schema
  };
  expect(await list({ filter: '{"q":"book","source":"tool"}', sort: '["id","DESC"]' })).toEqual([
    "shelf.find",
    "shelf.burn",
  ]);
  expect(await list({ filter: '{"id":["shelf.find","shelf.burn"]}', range: "[1,1]" })).toEqual(["shelf.find"]);
  await expect(list({ sort: '["secret","ASC"]' })).rejects.toMatchObject({ code: "INVALID_LIST_QUERY" });
});
