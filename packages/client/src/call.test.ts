import { expect, expectTypeOf, it } from "vitest";
import { createOvenClient } from "./index.ts";

const seen: Request[] = [];
const { call } = createOvenClient({
  url: "http://oven.example.com",
  key: "k",
  fetch: async (request) => {
    seen.push(request);
    return Response.json({ id: 7 });
  },
});

it("a route is called by its method and path, which say what it takes and answers", async () => {
  const workflow = await call("GET /agent-workflows/{id}", { path: { id: "a/b" } });
  expectTypeOf(workflow.slug).toBeString();
  await call("GET /reviews", { query: { filter: '{"status":"open"}', _start: 0 } });
  await call("GET /reviews");
  await call("POST /agent-workflows/{id}/execute", { path: { id: 7 }, body: { input: {} }, query: { wait: 5 } });
  expect(seen.map(({ method, url }) => `${method} ${url.slice("http://oven.example.com".length)}`)).toEqual([
    "GET /api/agent-workflows/a%2Fb",
    "GET /api/reviews?filter=%7B%22status%22%3A%22open%22%7D&_start=0",
    "GET /api/reviews",
    "POST /api/agent-workflows/7/execute?wait=5",
  ]);
  expect(await seen[3]?.json()).toEqual({ input: {} });
});

it("what a route needs cannot be left out", () => {
  // @ts-expect-error it needs a path
  expect(() => call("GET /agent-workflows/{id}")).toThrow("GET /agent-workflows/{id} needs path.id");
  expect(() => call("GET /agent-workflows/{id}", { path: { id: "" } })).toThrow("needs path.id");
  // @ts-expect-error no route is called so
  void (() => call("GET /nothing"));
  // @ts-expect-error it takes no such query
  void (() => call("GET /reviews", { query: { colour: "red" } }));
});
