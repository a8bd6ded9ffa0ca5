import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@oven/contract";
import { ApiDocumentSchema } from "@oven/contract/api";
import { schemaProblems, violationsOf } from "@oven/engine";
import { buildSchema, graphql, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiDocument } from "../read-api-document.ts";
import { readDocument } from "../read-document.ts";
import { toRequest } from "../request/to-request.ts";
import { graphqlIntrospection } from "./introspection-query.ts";

const SDL = `
"""A shop"""
type Query {
  "One order"
  order(id: ID!): Order
  orders(first: Int! = 2, after: String, filter: OrderFilter): OrderConnection!
  search(text: String!): [Found!]!
  count: Int!
  old: String @deprecated(reason: "gone")
}
type Mutation {
  createOrder(input: NewOrder!, dryRun: Boolean): Order!
  order(id: ID!): Boolean
}
type Subscription { changed: Order }
union Found = Order | Customer
enum State { OPEN PAID }
scalar Money
type Order { id: ID! state: State! total: Money customer: Customer lines(limit: Int): [Line!]! history(of: ID!): String }
type Customer { id: ID! name: String orders: [Order!] best: Customer }
type Line { sku: String! count: Int! }
type OrderConnection { edges: [OrderEdge!]! pageInfo: PageInfo! }
type OrderEdge { node: Order! cursor: String! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
input OrderFilter { state: State, any: [OrderFilter!] }
input NewOrder { customer: ID!, lines: [NewLine!]!, note: String = "none" }
input NewLine { sku: String!, count: Int! }
`;
const schema = buildSchema(SDL);
const customer = { id: "c", name: "Ann" };
const order = { id: "1", state: "OPEN", total: "1.50", customer, lines: [{ sku: "a", count: 2 }] };
const rootValue = {
  order: ({ id }: { id: string }) => ({ ...order, id }),
  orders: ({ first }: { first: number }) => ({
    edges: Array.from({ length: first }, () => ({ node: order, cursor: "x" })),
    pageInfo: { hasNextPage: false, endCursor: null },
  }),
  search: () => [{ __typename: "Customer", ...customer }],
  count: 3,
  createOrder: ({ input }: { input: { customer: string } }) => ({ ...order, customer: { id: input.customer } }),
};

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { query, variables } = JSON.parse(body);
  const answer = await graphql({ schema, source: query, rootValue, variableValues: variables });
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer));
});
// A machine that is busy may pause a test for longer than the usual five seconds.
server.keepAliveTimeout = 60_000;
let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // cast: it listens on a port
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => {
  server.close();
});

async function post(body: Json): Promise<string> {
  const response = await fetch(endpoint, { method: "POST", body: JSON.stringify(body) });
  return response.text();
}

async function call(name: string, input: JsonObject): Promise<JsonObject> {
  const { operations, servers } = await readApiDocument(await post({ query: graphqlIntrospection }), {
    baseUrl: endpoint,
  });
  const operation = operations.find((each) => each.name === name);
  const [at] = servers;
  if (operation === undefined || at === undefined) throw new Error("no operation");
  expect(violationsOf(operation.inputSchema, input, "$")).toEqual([]);
  const { url, body } = toRequest(operation, input, at.url);
  expect([url, body.kind]).toEqual([endpoint, "json"]);
  const answer: JsonObject = JSON.parse(await post(body.kind === "json" ? body.value : null));
  expect(violationsOf(operation.outputSchema ?? {}, answer, "$")).toEqual([]);
  return answer;
}

describe("the operations of a GraphQL API", () => {
  it("are its queries and mutations, read from introspection or from the schema's text alike", async () => {
    const introspected = ApiDocumentSchema.parse(readDocument(await post({ query: graphqlIntrospection }), undefined));
    const written = ApiDocumentSchema.parse(readDocument(SDL, undefined));
    expect(introspected.operations).toEqual(written.operations);
    expect(written.operations.map(({ name, effect, reads, deprecated }) => [name, effect, reads, deprecated])).toEqual([
      ["order", "idempotent", true, false],
      ["orders", "idempotent", true, false],
      ["search", "idempotent", true, false],
      ["count", "idempotent", true, false],
      ["old", "idempotent", true, true],
      ["createOrder", "at-most-once", false, false],
      [expect.stringMatching(/^order_[0-9a-f]{8}$/), "at-most-once", false, false],
    ]);
    expect(written.notes).toEqual(["Subscriptions are left out"]);
  });

  it("have queries that fit the schema, and schemas that values can be checked by", () => {
    for (const { query, inputSchema, outputSchema } of readDocument(SDL, undefined).operations) {
      expect(validate(schema, parse(query ?? "")).map(({ message }) => message)).toEqual([]);
      expect(schemaProblems(inputSchema, [])).toEqual([]);
      expect(schemaProblems(outputSchema ?? {}, [])).toEqual([]);
    }
  });

  it("are called with their inputs as variables", async () => {
    expect(await call("order", { id: "7" })).toMatchObject({
      data: { order: { id: "7", state: "OPEN", total: "1.50", customer: { name: "Ann" }, lines: [{ sku: "a" }] } },
    });
    expect(await call("orders", {})).toMatchObject({
      data: { orders: { edges: [{ node: { id: "1" } }, { node: { id: "1" } }] } },
    });
    expect(await call("search", { text: "a" })).toEqual({
      data: { search: [{ __typename: "Customer", Customer_id: "c", Customer_name: "Ann" }] },
    });
    expect(await call("count", {})).toEqual({ data: { count: 3 } });
    expect(await call("createOrder", { input: { customer: "c", lines: [{ sku: "a", count: 1 }] } })).toMatchObject({
      data: { createOrder: { customer: { id: "c" } } },
    });
  });

  it("refuse inputs that the schema does not take", () => {
    const [, orders] = readDocument(SDL, undefined).operations;
    const problems = (input: JsonObject): number => violationsOf(orders?.inputSchema ?? {}, input, "$").length;
    expect(problems({ filter: { any: [{ state: "PAID", any: [] }] }, after: null })).toBe(0);
    expect(problems({ filter: { any: [{ state: "LOST" }] } })).toBeGreaterThan(0);
    expect(problems({ first: "2" })).toBeGreaterThan(0);
    expect(problems({ other: 1 })).toBeGreaterThan(0);
  });
});

it("a schema that is none is refused", () => {
  for (const text of [
    "type Query { a: Missing }",
    "type Query {",
    '{"__schema":{"types":[]}}',
    '{"data":{"__schema":{}}}',
  ])
    expect(() => readDocument(text, undefined)).toThrow(expect.objectContaining({ code: "API_DOCUMENT_UNREADABLE" }));
});
