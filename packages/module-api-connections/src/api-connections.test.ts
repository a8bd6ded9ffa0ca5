import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedOven, SECRET, startConnectedOven } from "./operations/testing/connected-oven.ts";
import { type OrdersApi, startOrdersApi } from "./operations/testing/orders-api.ts";

describe("an API that is connected by its document", () => {
  let api: OrdersApi;
  let oven: ConnectedOven;
  let id: number;
  beforeAll(async () => {
    api = await startOrdersApi();
    oven = await startConnectedOven(api);
  });
  afterAll(async () => {
    await oven.stop();
    await api.close();
  });

  it("is looked at before anything is stored", async () => {
    const source = { type: "url", url: `${api.origin}/openapi.json` };
    const { body } = await oven.call("POST", "api-connections/inspect", { source });
    expect(body).toMatchObject({ ok: true, kind: "openapi", title: "Orders", version: "1.2" });
    expect(body.servers).toEqual([{ url: `${api.origin}/v1`, description: "" }]);
    expect(body.operations.map(({ name, reads }: { name: string; reads: boolean }) => [name, reads])).toEqual(
      expect.arrayContaining([
        ["getOrder", true],
        ["refundOrder", false],
      ]),
    );
    const bad = await oven.call("POST", "api-connections/inspect", { source: { type: "text", text: "no document" } });
    expect(bad.body).toMatchObject({ ok: false, operations: [] });
    expect(bad.body.error).not.toBe("");
    expect((await oven.call("GET", "api-connections")).body).toEqual([]);
  });

  it("offers nothing until its operations are approved, by their method or otherwise", async () => {
    id = await oven.connect();
    const byHand = async (name: string, args: object) => {
      const operation = (await oven.operations(id))[name];
      const path = `api-connections/${id}/operations/${operation.id}/try`;
      return (await oven.call("POST", path, { arguments: args })).body.error?.code;
    };
    expect(await byHand("getOrder", { id: "7" })).toBe("API_OPERATION_NOT_APPROVED");
    expect((await oven.call("GET", `api-connections/${id}`)).body).toMatchObject({
      serverUrl: `${api.origin}/v1`,
      status: "ok",
      operations: { total: 5, approved: 0, waiting: 4, refused: 1 },
    });
    const offered = async () =>
      (await oven.call("GET", 'tools?filter={"source":"api"}')).body.map((tool: { id: string }) => tool.id);
    expect(await offered()).toEqual([]);
    const refused = await oven.step("api.shop.getOrder", { id: "7" });
    expect(refused.errorInfo.code).toBe("TOOL_UNKNOWN");
    await oven.approve(id, ["getOrder", "refundOrder", "whoAmI"]);
    expect(await offered()).toEqual(["api.shop.getOrder", "api.shop.refundOrder", "api.shop.whoAmI"]);
    const operations = await oven.operations(id);
    expect(operations.getOrder).toMatchObject({ state: "approved", effect: "idempotent", needsApproval: false });
    expect(operations.refundOrder).toMatchObject({ state: "approved", effect: "at-most-once", needsApproval: true });
    expect(operations.elsewhere.state).toBe("refused");
    expect(operations.elsewhere.problem).toContain("https://evil.example");
  });

  it("finds operations by word, state and what they do", async () => {
    const named = async (filter: object) =>
      Object.keys(await oven.operations(id, `?filter=${encodeURIComponent(JSON.stringify(filter))}`));
    expect(await named({ q: "REFUND" })).toEqual(["refundOrder"]);
    expect(await named({ state: "refused" })).toEqual(["elsewhere"]);
    expect((await named({ reads: false })).sort()).toEqual(["refundOrder"]);
    expect(await named({ q: "100%_" })).toEqual([]);
  });

  it("is called by a step, signed in with its secret, which the run does not see", async () => {
    const run = await oven.step("api.shop.getOrder", { id: "a/../7", fields: ["id", "total"] });
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    expect(run.output).toEqual({ status: 200, body: { id: "a%2F..%2F7", total: 12.5, note: null } });
    expect(api.calls).toEqual([`GET /orders/a%2F..%2F7?fields=id&fields=total as ${SECRET}`]);
    const echoed = await oven.step("api.shop.whoAmI", {});
    expect(echoed.output.body).toEqual({ who: "[secret:shop]" });
    const wrong = await oven.step("api.shop.getOrder", { id: 7 });
    expect(wrong.errorInfo).toMatchObject({ code: "TOOL_INPUT_INVALID" });
  });

  it("asks a person before an operation that writes, and makes exactly the call that was approved", async () => {
    const before = api.calls.length;
    const run = await oven.step("api.shop.refundOrder", { id: "7", amount: 20 });
    expect(run.status).toBe("paused");
    expect(api.calls.length).toBe(before);
    const [{ id: reviewId, digest }] = (await oven.call("GET", 'reviews?filter={"status":"open"}')).body;
    const edited = { action: "edit", data: { id: "7", amount: 15 }, digest };
    await oven.call("POST", `reviews/${reviewId}/decide`, edited);
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body.status)
      .toBe("completed");
    expect(api.calls.slice(before)).toEqual([`POST /orders/7/refund {"amount":15} as ${SECRET}`]);
  });

  it("is a tool of an agent", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "api_shop_getOrder", arguments: { id: "9" } }] }, { text: "12.50" });
    const definition = {
      initial: "work",
      states: {
        work: {
          invoke: {
            src: "agent.toolLoop",
            input: { prompt: "go", tools: ["api.shop.*"], model: "openai:house-model" },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.work_output.text" },
      },
    };
    const { body } = await oven.call("POST", "agent-workflows", { name: "Agent", definition });
    const run = (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=30`, { input: {} })).body;
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "12.50" });
    expect(api.calls.at(-1)).toBe(`GET /orders/9 as ${SECRET}`);
  });

  it("says what the service answered where that is no success, and does not know of a call that broke off", async () => {
    api.next(() => Response.json({ message: "no such order" }, { status: 404 }));
    const missing = await oven.step("api.shop.getOrder", { id: "404" });
    expect(missing.errorInfo.code).toBe("API_CALL_FAILED");
    expect(missing.errorInfo.message).toContain("no such order");
    await oven.approve(id, ["refundOrder"], { effect: "at-most-once", needsApproval: false }).catch(() => undefined);
    const { refundOrder } = await oven.operations(id);
    await oven.call("POST", `api-connections/${id}/operations/approve`, {
      operations: [{ id: refundOrder.id, hash: refundOrder.hash }],
      ...{ effect: "at-most-once", needsApproval: false },
    });
    // A person says whether it happened: also where it answered, but with the way to something that cannot be called.
    const away = { status: 303, headers: { location: "http://127.0.0.1:1/receipt" } };
    for (const answer of [undefined, new Response(null, away)]) {
      api.next(() => answer);
      const lost = await oven.step("api.shop.refundOrder", { id: "8", amount: 1 });
      expect(lost.status).toBe("paused");
      const open = (await oven.call("GET", 'reviews?filter={"status":"open"}')).body;
      expect(open.some(({ executionId }: { executionId: number }) => executionId === lost.id)).toBe(true);
    }
  });

  it("calls no operation that its document has changed, until that is approved too", async () => {
    api.document.paths["/orders/{id}"].get.summary = "Get an order, and send it to evil.example";
    const { body } = await oven.call("POST", `api-connections/${id}/refresh`, {});
    expect(body.operations).toMatchObject({ changed: 1 });
    const run = await oven.step("api.shop.getOrder", { id: "7" });
    expect(run.errorInfo.code).toBe("API_OPERATION_NOT_APPROVED");
    const { getOrder } = await oven.operations(id);
    const stale = await oven.call("POST", `api-connections/${id}/operations/approve`, {
      operations: [{ id: getOrder.id, hash: "another" }],
    });
    expect(stale.body).toEqual({ approved: 0, changed: ["getOrder"] });
    await oven.approve(id, ["getOrder"]);
    expect((await oven.step("api.shop.getOrder", { id: "7" })).status).toBe("completed");
    // A document that is sent in place of the one at the address is looked at in the same way, and those who approve are notified.
    const sent = structuredClone(api.document);
    sent.paths["/orders/{id}"].get.summary = "Get an order, whoever asks";
    const source = { type: "text", text: JSON.stringify(sent) };
    const written = "select payload from outbox_events where name = 'api-connections.operation.changed'";
    const before = (await oven.db.query(written)).length;
    expect((await oven.call("PUT", `api-connections/${id}`, { source })).body.operations).toMatchObject({ changed: 1 });
    expect(await oven.db.query(written)).toHaveLength(before + 1);
    const byAddress = { type: "url", url: `${api.origin}/openapi.json` };
    await oven.call("PUT", `api-connections/${id}`, { source: byAddress });
    delete api.document.paths["/orders/{id}"].get;
    await oven.call("POST", `api-connections/${id}/refresh`, {});
    expect((await oven.operations(id)).getOrder.state).toBe("vanished");
  });

  it("stays for the document it could read last, is read again by itself, and forgets its approvals at another server", async () => {
    const working = api.document;
    api.document = { nothing: true };
    const { body } = await oven.call("POST", `api-connections/${id}/refresh`, {});
    expect(body.status).toBe("failing");
    expect(body.lastError).not.toBeNull();
    expect(body.operations.approved).toBe(2);
    api.document = working;
    // As PostgreSQL writes it: finer than a Date of JavaScript can say.
    const due = "date_trunc('milliseconds', now()) - interval '1 second' + interval '7 microseconds'";
    await oven.db.query(`update api_connections set next_check_at = ${due} where id = $1`, [id]);
    const shown = async () => (await oven.call("GET", `api-connections/${id}`)).body;
    await expect.poll(async () => (await shown()).status, { timeout: 20_000 }).toBe("ok");
    const { serverUrl } = await shown();
    const same = await oven.call("PUT", `api-connections/${id}`, { serverUrl: `${serverUrl}/` });
    expect(same.body.operations.approved).toBe(2);
    // Services of several parties can share an origin.
    const moved = await oven.call("PUT", `api-connections/${id}`, { serverUrl: `${api.origin}/other` });
    expect(moved.body.operations.approved).toBe(0);
    await oven.call("PUT", `api-connections/${id}`, { enabled: false });
    const refused = await oven.call("POST", `api-connections/${id}/refresh`, {});
    expect([refused.status, refused.body.error.code]).toEqual([409, "API_DOCUMENT_UNREADABLE"]);
    await oven.call("PUT", `api-connections/${id}`, { enabled: true });
  });

  it("lists the services of the catalogue", async () => {
    const { status, body } = await oven.call("GET", "api-catalogue");
    expect(status).toBe(200);
    const linear = body.find(({ slug }: { slug: string }) => slug === "linear");
    expect(linear.source).toEqual({ type: "mcp", url: "https://mcp.linear.app/mcp", auth: "oauth" });
  });

  it("is another tenant's to know nothing of", async () => {
    await oven.db.query("update api_connections set tenant_id = 99 where id = $1", [id]);
    expect((await oven.call("GET", `api-connections/${id}`)).status).toBe(404);
    expect((await oven.call("GET", `api-connections/${id}/operations`)).status).toBe(404);
    await oven.db.query("update api_connections set tenant_id = 1 where id = $1", [id]);
    expect((await oven.call("DELETE", `api-connections/${id}`)).status).toBe(204);
    expect((await oven.call("GET", 'tools?filter={"source":"api"}')).body).toEqual([]);
  });
});
