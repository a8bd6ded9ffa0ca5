import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const LONG = "x".repeat(900_000);
const machine = (states: object) => ({ initial: "only", states });

describe("a key bound to one workflow", () => {
  let oven: TestOven;
  let key: string;
  const mine = { id: 0, slug: "mine", run: 0 };
  const other = { id: 0, slug: "other", run: 0 };

  const asBound = (method: string, path: string, body?: object) => oven.call(method, path, body, { key });

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    // More than a row takes.
    const fivefold = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, "$.trigger.long"]));
    const asking = machine({
      only: { invoke: { src: "core.transform", input: { mapping: fivefold }, onDone: "ask" } },
      ask: { invoke: { src: "agent.humanReview", input: { title: "Right?", show: "yes" }, onDone: "end" } },
      end: { type: "final" },
    });
    for (const workflow of [mine, other]) {
      const { slug } = workflow;
      const body = { name: slug, slug, mcpExport: true, definition: { ...asking, id: slug } };
      const made = await oven.call("POST", "agent-workflows", body);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      workflow.id = made.body.id;
      const run = await oven.call("POST", `agent-workflows/${slug}/execute?wait=5`, { input: { long: LONG } });
      expect(run.body.status).toBe("paused");
      workflow.run = run.body.id;
    }
    const made = await oven.call("POST", "api-keys", {
      name: "bound",
      permissions: ["*"],
      workflows: [`agent-workflow:${mine.id}`],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    key = made.body.key;
  });
  afterAll(() => oven.stop());

  it("finds it by id and slug, with its runs, reviews, content and MCP server, and none of another", async () => {
    const content = async (run: number) => {
      const { body } = await oven.call("GET", `agent-workflow-executions/${run}/nodes`);
      return body[0].output.$blob;
    };
    const review = async (run: number) =>
      (await oven.call("GET", `reviews?filter=${JSON.stringify({ executionId: run })}`)).body[0].id;
    const paths = async ({ id, slug, run }: typeof mine) => [
      `agent-workflows/${id}`,
      `agent-workflows/${slug}`,
      `agent-workflows/${slug}/versions`,
      `agent-workflow-executions/${run}`,
      `agent-workflow-executions/${run}/checkpoints`,
      `reviews/${await review(run)}`,
      `blobs/${await content(run)}`,
    ];
    for (const path of await paths(mine)) expect([path, (await asBound("GET", path)).status]).toEqual([path, 200]);
    for (const path of await paths(other)) expect([path, (await asBound("GET", path)).status]).toEqual([path, 404]);
    const list = async (path: string) => (await asBound("GET", path)).body;
    expect((await list("agent-workflows")).map(({ id }: { id: number }) => id)).toEqual([mine.id]);
    expect((await list("agent-workflow-executions")).map(({ id }: { id: number }) => id)).toEqual([mine.run]);
    expect((await list("reviews")).map(({ executionId }: { executionId: number }) => executionId)).toEqual([mine.run]);
    expect((await list("mcp-servers")).map(({ slug }: { slug: string }) => slug)).toEqual(["mine"]);
    expect(await list("workflows")).toEqual([]);
  });

  it("runs, changes and decides that one only", async () => {
    const run = (slug: string) => asBound("POST", `agent-workflows/${slug}/execute`, { input: {} });
    expect((await run("mine")).status).toBe(202);
    expect((await run("other")).status).toBe(404);
    expect((await asBound("POST", `agent-workflow-executions/${other.run}/cancel`, {})).status).toBe(404);
    expect((await asBound("DELETE", "agent-workflows/other?force=true")).status).toBe(404);
    const definition = { id: "new", initial: "end", states: { end: { type: "final" } } };
    expect((await asBound("POST", "agent-workflows", { name: "new", definition })).status).toBe(403);
    const initialize = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    expect((await asBound("POST", "mcp/other", initialize)).status).toBe(404);
    expect((await asBound("POST", "mcp/mine", initialize)).status).not.toBe(404);
  });

  it("runs what its workflow calls: the author chose that", async () => {
    const call = {
      src: "core.callWorkflow",
      input: { workflow: "other", kind: "agent-workflow", input: { long: "" } },
      onDone: "end",
    };
    const definition = machine({ only: { invoke: call }, end: { type: "final" } });
    const update = { definition: { ...definition, id: "mine" } };
    expect((await oven.call("PUT", "agent-workflows/mine", update)).status).toBe(200);
    const run = await asBound("POST", "agent-workflows/mine/execute?wait=5", { input: {} });
    expect(run.body).toMatchObject({ status: "paused" });
  });

  it("finds it alone among the models, and asks no other", async () => {
    const ids = async () => (await asBound("GET", "v1/models")).body.data.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(["agent-workflow:mine"]);
    const ask = (slug: string, more = {}) =>
      asBound("POST", "v1/responses", {
        model: `agent-workflow:${slug}`,
        input: "Hi",
        oven: { parameters: { long: "x" } },
        ...more,
      });
    expect(await ask("mine")).toMatchObject({ status: 200, body: { status: "incomplete" } });
    expect(await ask("other")).toMatchObject({ status: 404, body: { error: { code: "model_not_found" } } });
    const handle = (run: number) => ask("mine", { metadata: { oven_run_id: run } });
    expect(await handle(mine.run)).toMatchObject({ status: 200, body: { id: `resp_${mine.run}` } });
    expect((await handle(other.run)).status).toBe(404);
  });
});
