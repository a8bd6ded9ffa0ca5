import { createApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { answerWith, json } from "@oven/ui/api/test-fetch.ts";
import { describe, expect, it } from "vitest";
import { createDataProvider } from "./data-provider.ts";

function providerOf(...answers: (Response | Error)[]) {
  const { fetch, seen } = answerWith(...answers);
  return { provider: createDataProvider(createApiClient(fetch)), seen };
}

const queryOf = (url: string | undefined) =>
  Object.fromEntries([...new URL(url ?? "", "http://x").searchParams].map(([key, value]) => [key, JSON.parse(value)]));

describe("the data provider", () => {
  it("asks for a page, and takes the total from Content-Range", async () => {
    const { provider, seen } = providerOf(json([{ id: 26 }], { headers: { "content-range": "things 25-25/42" } }));
    const result = await provider.getList("things", {
      sort: { field: "name", order: "DESC" },
      pagination: { page: 2, perPage: 25 },
      filter: { q: "a&b" },
    });
    expect(result).toMatchObject({ data: [{ id: 26 }], total: 42 });
    expect(seen[0]?.url).toMatch(/^\/api\/things\?/);
    expect(queryOf(seen[0]?.url)).toEqual({ sort: ["name", "DESC"], range: [25, 49], filter: { q: "a&b" } });
  });

  it("counts the rows of a list that has no Content-Range", async () => {
    const { provider } = providerOf(json([{ id: 1 }, { id: 2 }]));
    await expect(provider.getList("node-types", {})).resolves.toMatchObject({ total: 2 });
  });

  it("takes the total of an empty page", async () => {
    const { provider } = providerOf(json([], { headers: { "content-range": "things */0" } }));
    await expect(provider.getList("things", {})).resolves.toMatchObject({ data: [], total: 0 });
  });

  it("gets many by one filter", async () => {
    const { provider, seen } = providerOf(json([{ id: 1 }, { id: 3 }]));
    await provider.getMany("things", { ids: [1, 3] });
    expect(queryOf(seen[0]?.url)).toEqual({ range: [0, 1], filter: { id: [1, 3] } });
  });

  it("adds the reference to the filter", async () => {
    const { provider, seen } = providerOf(json([]));
    await provider.getManyReference("runs", {
      target: "agentWorkflowId",
      id: 7,
      sort: { field: "id", order: "ASC" },
      pagination: { page: 1, perPage: 10 },
      filter: { status: "failed" },
    });
    expect(queryOf(seen[0]?.url).filter).toEqual({ status: "failed", agentWorkflowId: 7 });
  });

  it("creates with POST and updates with PUT, as JSON", async () => {
    const { provider, seen } = providerOf(json({ id: 5 }, { status: 201 }), json({ id: 5, version: 2 }));
    await expect(provider.create("things", { data: { name: "a" } })).resolves.toEqual({ data: { id: 5 } });
    await provider.update("things", { id: 5, data: { version: 1 }, previousData: { id: 5 } });
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/api/things", { name: "a" }],
      ["PUT", "/api/things/5", { version: 1 }],
    ]);
    expect(seen[1]?.headers.get("content-type")).toBe("application/json");
  });

  it("deletes with a JSON content type and gives back the record that went", async () => {
    const { provider, seen } = providerOf(new Response(null, { status: 204 }));
    const previousData = { id: 5, name: "a" };
    await expect(provider.delete("things", { id: 5, previousData })).resolves.toEqual({ data: previousData });
    expect(seen[0]).toMatchObject({ method: "DELETE", url: "/api/things/5" });
    expect(seen[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("forces a delete only when asked to", async () => {
    const { provider, seen } = providerOf(new Response(null, { status: 204 }), new Response(null, { status: 204 }));
    await provider.delete("things", { id: 5, meta: { force: false } });
    await provider.delete("things", { id: 5, meta: { force: true } });
    expect(seen.map(({ url }) => url)).toEqual(["/api/things/5", "/api/things/5?force=true"]);
  });

  it("updates and deletes many one by one", async () => {
    const { provider, seen } = providerOf(json({}), json({}), new Response(null, { status: 204 }));
    await expect(provider.updateMany("things", { ids: [1, 2], data: { enabled: false } })).resolves.toEqual({
      data: [1, 2],
    });
    await expect(provider.deleteMany("things", { ids: [3] })).resolves.toEqual({ data: [3] });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "PUT /api/things/1",
      "PUT /api/things/2",
      "DELETE /api/things/3",
    ]);
  });

  it("escapes ids", async () => {
    const { provider, seen } = providerOf(json({ id: 1 }));
    await provider.getOne("things", { id: "a/b?c" });
    expect(seen[0]?.url).toBe("/api/things/a%2Fb%3Fc");
  });

  it("throws what the server said: code, path, fix and the message at its field", async () => {
    const error = {
      code: "SLUG_TAKEN",
      message: "The slug refund is taken",
      path: "$.slug",
      fix: "Choose another.",
      docs: "d",
    };
    const { provider } = providerOf(json({ error }, { status: 409 }));
    const thrown = await provider.create("things", { data: {} }).catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({
      status: 409,
      code: "SLUG_TAKEN",
      path: "$.slug",
      fix: "Choose another.",
      body: { errors: { slug: "The slug refund is taken. Choose another." } },
    });
  });
});
