import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/* Statements of document 004 about tables, routes, rows and events, each by its id. */

const note = (message: string, onDone: unknown = "done") => ({
  invoke: { src: "core.log", input: { message }, onDone },
});
const simple = {
  initial: "one",
  states: { one: note("hello"), done: { type: "final", output: { said: "$.one_output.message" } } },
};

describe("document 004", () => {
  let oven: TestOven;
  let paused: TestAnswer["body"];
  let finished: TestAnswer["body"];

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    const run = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Where is my order 8841?", orderId: 8841 },
    });
    paused = (await oven.call("GET", `agent-workflow-executions/${run.body.id}`)).body;
    await oven.call("POST", `agent-workflow-executions/${run.body.id}/resume`, { action: "approve" });
    await oven.call("GET", `agent-workflow-executions/${run.body.id}/events`).catch(() => undefined);
    finished = (await oven.call("GET", `agent-workflow-executions/${run.body.id}`)).body;
  });
  afterAll(() => oven.stop());

  const create = (body: object) => oven.call("POST", "agent-workflows", body);
  const createdSimple = async (name: string) => (await create({ name, definition: simple })).body;
  async function columns(table: string): Promise<Record<string, string>> {
    const rows = await oven.db.query<{ column_name: string; data_type: string; is_nullable: string }>(
      "select column_name, data_type, is_nullable from information_schema.columns where table_name = $1",
      [table],
    );
    return Object.fromEntries(
      rows.map((row) => [row.column_name, `${row.data_type}${row.is_nullable === "YES" ? "?" : ""}`]),
    );
  }
  async function foreignKeys(table: string): Promise<string[]> {
    const rows = await oven.db.query<{ definition: string }>(
      "select pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'f' and conrelid = $1::regclass",
      [table],
    );
    return rows.map(({ definition }) => definition);
  }
  async function eventsOf(name: string, key: string): Promise<Record<string, unknown>[]> {
    const rows = await oven.db.query<{ payload: Record<string, unknown> }>(
      "select payload from outbox_events where name = $1 and order_key = $2 order by id",
      [`agents-workflow.${name}`, key],
    );
    return rows.map(({ payload }) => payload);
  }

  it("every route of every module that offers an operation can be bound as a tool, or the action that covers it [004-219]", async () => {
    const offered = new Set((await oven.call("GET", "tools?range=[0,9999]")).body.map(({ id }: { id: string }) => id));
    const modules = installedModules({ demo: true });
    const missing = modules.flatMap(({ namespace, routes = [], actions = [] }) =>
      routes
        .filter(({ operation, raw }) => operation !== false && raw !== true)
        .filter(({ operation }) => !actions.some(({ covers }) => covers === operation))
        .map(({ operation }) => `${namespace}.${operation}`)
        .filter((id) => !offered.has(id)),
    );
    expect(missing).toEqual([]);
    expect(offered.size).toBeGreaterThan(100);
  });

  describe("tables", () => {
    it("agent_workflows has the columns of the document [004-100] [004-101] [004-105] [004-106] [004-107]", async () => {
      expect(await columns("agent_workflows")).toMatchObject({
        id: "bigint",
        name: "character varying",
        slug: "character varying",
        description: "text?",
        definition: "jsonb",
        agent_config: "jsonb?",
        memory_config: "jsonb?",
        mcp_export: "boolean",
        enabled: "boolean",
        version: "integer",
        created_at: "timestamp with time zone",
        updated_at: "timestamp with time zone",
      });
      const row = await createdSimple("Defaults");
      expect(row).toMatchObject({
        mcpExport: false,
        enabled: true,
        version: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    });

    it("a slug is unique and URL-safe [004-102] [004-235]", async () => {
      expect((await create({ name: "A", slug: "not safe!", definition: simple })).status).toBe(400);
      expect((await create({ name: "A", slug: "safe-slug", definition: simple })).status).toBe(201);
      expect(await create({ name: "B", slug: "safe-slug", definition: simple })).toMatchObject({
        status: 409,
        body: { error: { code: "SLUG_TAKEN" } },
      });
    });

    it("a definition reads back as it was written, extension keys included [004-103]", async () => {
      const definition = {
        ...simple,
        "x-owner": { team: "support" },
        meta: { note: "kept", deep: [1, { two: null }] },
      };
      const { body } = await create({ name: "Whole", definition });
      expect((await oven.call("GET", `agent-workflows/${body.id}`)).body.definition).toEqual(definition);
    });

    it("agent_workflow_versions holds full snapshots with a note [004-108] [004-109] [004-110]", async () => {
      expect(await columns("agent_workflow_versions")).toMatchObject({
        id: "bigint",
        agent_workflow_id: "bigint",
        version: "integer",
        definition: "jsonb",
        description: "text?",
        created_at: "timestamp with time zone",
      });
      expect(await foreignKeys("agent_workflow_versions")).toEqual([
        expect.stringContaining("REFERENCES agent_workflows(id)"),
      ]);
      const { id } = await createdSimple("Snapshots");
      const changed = { ...simple, states: { ...simple.states, one: note("changed") } };
      await oven.call("PUT", `agent-workflows/${id}`, { definition: changed, note: "because" });
      const { body } = await oven.call("GET", `agent-workflows/${id}/versions`);
      expect(body).toMatchObject([
        { version: 2, description: "because", definition: changed },
        { version: 1, description: null, definition: simple },
      ]);
    });

    it("agent_workflow_executions has the columns of the document [004-111] [004-112] [004-113] [004-118]", async () => {
      expect(await columns("agent_workflow_executions")).toMatchObject({
        agent_workflow_id: "bigint",
        agent_id: "bigint?",
        session_id: "bigint?",
        status: "character varying",
        current_state: "text",
        context: "json?",
        checkpoint: "json?",
        trigger_event: "text?",
        token_usage: "json",
        started_at: "timestamp with time zone?",
        completed_at: "timestamp with time zone?",
        error: "text?",
      });
      expect(await foreignKeys("agent_workflow_executions")).toEqual([
        expect.stringContaining("REFERENCES agent_workflows(id)"),
      ]);
    });

    it("agent_workflow_node_executions has the columns of the document [004-122]", async () => {
      expect(await columns("agent_workflow_node_executions")).toMatchObject({
        execution_id: "bigint",
        node_id: "text",
        node_type: "text",
        status: "character varying",
        input: "json",
        output: "json",
        token_usage: "json?",
        tool_calls: "json?",
        error: "text?",
        duration_ms: "bigint?",
        started_at: "timestamp with time zone",
        completed_at: "timestamp with time zone?",
      });
      const keys = await foreignKeys("agent_workflow_node_executions");
      expect(keys).toEqual([expect.stringContaining("REFERENCES agent_workflow_executions(id)")]);
    });

    it("mcp_server_definitions has the columns of the document [004-135] [004-136]", async () => {
      expect(await columns("mcp_server_definitions")).toMatchObject({
        agent_workflow_id: "bigint",
        name: "character varying",
        slug: "character varying",
        tool_definitions: "jsonb",
        status: "character varying",
        last_generated_at: "timestamp with time zone",
      });
      expect(await foreignKeys("mcp_server_definitions")).toEqual([
        expect.stringContaining("REFERENCES agent_workflows(id)"),
      ]);
    });

    it("regular workflows keep their history in workflow_versions [004-019]", async () => {
      const { body } = await oven.call("POST", "workflows", { name: "Regular", definition: simple });
      await oven.call("PUT", `workflows/${body.id}`, {
        definition: { ...simple, states: { ...simple.states, one: note("new") } },
      });
      const rows = await oven.db.query(
        "select version from workflow_versions where workflow_id = $1 order by version",
        [body.id],
      );
      expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
    });
  });

  describe("a run", () => {
    it("is paused at the review, at its place, with a checkpoint [004-114] [004-115] [004-117] [004-162]", () => {
      expect(paused).toMatchObject({
        status: "paused",
        currentState: "review",
        checkpoint: { waiting: [{ nodeId: "review", for: "review" }] },
      });
    });

    it("clears its checkpoint and shows its times and result at the end [004-120] [004-121] [004-161] [004-247]", () => {
      expect(finished).toMatchObject({
        status: "completed",
        checkpoint: null,
        error: null,
        output: { reply: expect.stringContaining("order 8841") },
      });
      expect(Date.parse(finished.completedAt)).toBeGreaterThanOrEqual(Date.parse(finished.startedAt));
    });

    it("accumulates its context from what nodes answered [004-098] [004-099] [004-116]", () => {
      const { context, nodes } = finished;
      const outputOf = (nodeId: string) =>
        nodes.find((node: { nodeId: string; item: null }) => node.nodeId === nodeId && node.item === null).output;
      expect(context.prompt_output).toEqual(outputOf("prompt"));
      expect(context.draft_output).toEqual(outputOf("draft"));
      expect(context.review_output).toEqual(outputOf("review"));
    });

    it("keeps the conversation as role and content, tool calls with their results [004-094]", () => {
      const roles = finished.context.messages.map(({ role }: { role: string }) => role);
      expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
      for (const message of finished.context.messages) expect(message.content).toBeDefined();
    });

    it("sums the tokens of every model call, loop and run alike [004-119] [004-128] [004-231] [004-240]", () => {
      const total = (nodeId: string) =>
        finished.nodes
          .filter((node: { nodeId: string }) => node.nodeId === nodeId)
          .reduce(
            (sum: number, node: { tokenUsage: { total: number } | null }) => sum + (node.tokenUsage?.total ?? 0),
            0,
          );
      expect(total("draft.llm")).toBeGreaterThan(0);
      expect(total("draft")).toBe(total("draft.llm"));
      expect(finished.tokenUsage.total).toBe(total("draft.llm"));
    });

    it("leaves a row for every node, iteration and tool call, with type, times and outcome [004-123] [004-124] [004-125] [004-127] [004-130] [004-177] [004-232] [004-238]", () => {
      for (const node of finished.nodes) {
        expect(node).toMatchObject({
          nodeId: expect.any(String),
          nodeType: expect.stringContaining("."),
          status: "completed",
          durationMs: expect.any(Number),
          error: null,
        });
        expect(node.output).not.toBeNull();
      }
      const iterations = finished.nodes.filter(({ nodeId }: { nodeId: string }) => nodeId === "draft.llm");
      expect(iterations.map(({ visit }: { visit: number }) => visit)).toEqual([1, 2]);
      expect(paused.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === "review").status).toBe("paused");
    });

    it("records resolved inputs and the calls of an executor [004-126] [004-129]", () => {
      const prompt = finished.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === "prompt");
      expect(JSON.stringify(prompt.input)).toContain("Where is my order 8841?");
      const executor = finished.nodes.find(
        ({ nodeId, item }: { nodeId: string; item: unknown }) => nodeId === "draft.tools" && item === null,
      );
      expect(executor.toolCalls.map(({ tool }: { tool: string }) => tool).sort()).toEqual([
        "orders.get",
        "orders.policy",
      ]);
    });

    it("runs the calls of one reply side by side [004-047] [004-230]", () => {
      const calls = finished.nodes.filter(({ item }: { item: unknown }) => item !== null);
      expect(calls).toHaveLength(2);
      const latestStart = Math.max(...calls.map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt)));
      const earliestEnd = Math.min(...calls.map(({ completedAt }: { completedAt: string }) => Date.parse(completedAt)));
      expect(latestStart).toBeLessThanOrEqual(earliestEnd);
    });

    it("streams tokens that add up to the recorded text [004-225] [004-254]", async () => {
      const text = await (await oven.fetch(`agent-workflow-executions/${finished.id}/events`)).text();
      const deltas = [...text.matchAll(/^event: text\.delta\ndata: (.+)$/gm)].map(([, data]) =>
        JSON.parse(data ?? "{}"),
      );
      expect(deltas.length).toBeGreaterThan(3);
      const last = deltas.filter(({ visit }) => visit === 2).map((delta) => delta.text);
      expect(last.join("")).toBe(finished.context.draft_output.text);
    });

    it("of an agent workflow runs a plain definition unchanged, as a regular one does [004-014] [004-092] [004-233]", async () => {
      const { body: regular } = await oven.call("POST", "workflows", { name: "Plain", definition: simple });
      const agent = await createdSimple("Plain too");
      const runs = await Promise.all([
        oven.call("POST", `workflows/${regular.id}/execute?wait=20`, { input: {} }),
        oven.call("POST", `agent-workflows/${agent.id}/execute?wait=20`, { input: {} }),
      ]);
      for (const { body } of runs) expect(body).toMatchObject({ status: "completed", output: { said: "hello" } });
    });

    it("of a regular workflow may use agent nodes among core nodes [004-022] [004-093]", async () => {
      const definition = {
        initial: "one",
        states: {
          one: note("before", "ask"),
          ask: { invoke: { src: "agent.llm", input: { prompt: "Hello", model: "simulated:echo" }, onDone: "done" } },
          done: { type: "final", output: "$.ask_output.text" },
        },
      };
      const { body } = await oven.call("POST", "workflows", { name: "Mixed", definition });
      const run = await oven.call("POST", `workflows/${body.id}/execute?wait=20`, { input: {} });
      expect(run.body).toMatchObject({ status: "completed", output: expect.stringContaining("[simulated]") });
    });
  });

  describe("routes", () => {
    it("list, create, read, change and delete agent workflows [004-140] [004-141] [004-142] [004-143] [004-144]", async () => {
      const made = await create({ name: "Routes", definition: simple });
      expect(made.status).toBe(201);
      const list = await oven.call("GET", 'agent-workflows?filter={"slug":"routes"}');
      expect(list.body).toEqual([made.body]);
      expect(await oven.call("GET", `agent-workflows/${made.body.id}`)).toMatchObject({ status: 200, body: made.body });
      const changed = { ...simple, states: { ...simple.states, one: note("changed") } };
      expect(await oven.call("PUT", "agent-workflows/routes", { definition: changed })).toMatchObject({
        status: 200,
        body: { version: 2 },
      });
      expect((await oven.call("DELETE", `agent-workflows/${made.body.id}`)).status).toBe(204);
      expect((await oven.call("GET", `agent-workflows/${made.body.id}`)).status).toBe(404);
    });

    it("list versions and restore one [004-145] [004-146]", async () => {
      const { id } = await createdSimple("History");
      await oven.call("PUT", `agent-workflows/${id}`, {
        definition: { ...simple, states: { ...simple.states, one: note("changed") } },
      });
      const { body: versions } = await oven.call("GET", `agent-workflows/${id}/versions`);
      const restored = await oven.call("POST", `agent-workflows/${id}/versions/${versions[1].id}/restore`);
      expect(restored.body).toMatchObject({ version: 3, definition: simple });
    });

    it("execute, list, read, cancel runs and list their nodes [004-147] [004-148] [004-149] [004-151] [004-152]", async () => {
      const accepted = await oven.call("POST", "agent-workflows/support-reply/execute", {
        input: { message: "Order 8841?" },
      });
      expect(accepted).toMatchObject({ status: 202, body: { id: expect.any(Number) } });
      const { id } = accepted.body;
      const list = await oven.call("GET", `agent-workflow-executions?filter={"id":[${id}]}`);
      expect(list.body).toMatchObject([{ id }]);
      for (const heavy of ["context", "stateValue", "checkpoint", "input"])
        expect(list.body[0]).not.toHaveProperty(heavy);
      const cancelled = await oven.call("POST", `agent-workflow-executions/${id}/cancel`, {});
      expect(cancelled.body.status).toBe("cancelled");
      const detail = await oven.call("GET", `agent-workflow-executions/${id}`);
      expect((await oven.call("GET", `agent-workflow-executions/${id}/nodes`)).body).toEqual(detail.body.nodes);
    });

    it("finds runs by their workflow's name, state or error", async () => {
      const definition = {
        initial: "one",
        states: { one: { invoke: { src: "core.fail", input: { message: "Oven too hot" } } } },
      };
      const { body } = await create({ name: "Bread 100%", definition });
      const run = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input: {} });
      const find = async (q: string) =>
        (
          await oven.call("GET", `agent-workflow-executions?filter=${encodeURIComponent(JSON.stringify({ q }))}`)
        ).body.map(({ id }: { id: number }) => id);
      for (const q of ["bread 100%", "too HOT"]) expect(await find(q)).toEqual([run.body.id]);
      expect(await find("review")).toEqual([]);
      expect(await find("%")).toEqual([run.body.id]);
      expect((await oven.call("GET", 'agent-workflow-executions?filter={"q":7}')).status).toBe(400);
    });

    it("resume takes approve, edit and reject, and applies the decision once [004-150] [004-166] [004-168]", async () => {
      for (const decision of [
        { action: "approve" },
        { action: "edit", data: "Edited." },
        { action: "reject", reason: "no" },
      ]) {
        const run = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
          input: { message: "Order 8841?" },
        });
        const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body;
        const path = `agent-workflow-executions/${run.body.id}/resume`;
        expect((await oven.call("POST", path, { ...decision, reviewId: review.id })).status).toBe(200);
        expect((await oven.call("POST", path, { ...decision, reviewId: review.id })).status).toBe(409);
        expect((await oven.call("GET", `reviews/${review.id}`)).body.action).toBe(decision.action);
      }
    });

    it("list, read and regenerate MCP servers [004-156] [004-157] [004-158]", async () => {
      const [server] = (await oven.call("GET", 'mcp-servers?filter={"slug":"support-reply"}')).body;
      const { toolDefinitions, ...shown } = (await oven.call("GET", `mcp-servers/${server.id}`)).body;
      // One by itself also says what a run needs at most.
      const [{ worstCase, ...first }, ...others] = toolDefinitions;
      expect({ ...shown, toolDefinitions: [first, ...others] }).toEqual(server);
      expect(worstCase).toMatchObject({ modelCalls: null });
      await oven.db.query("update mcp_server_definitions set tool_definitions = '[]' where id = $1", [server.id]);
      const again = await oven.call("POST", `mcp-servers/${server.id}/regenerate`);
      expect(again.body.toolDefinitions).toEqual(server.toolDefinitions);
      expect(Date.parse(again.body.lastGeneratedAt)).toBeGreaterThan(Date.parse(server.lastGeneratedAt));
    });

    it("answers bad JSON and broken references in words, never with the database's [004-264]", async () => {
      const bad = await oven.fetch("agent-workflows", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{",
      });
      expect(bad.status).toBe(400);
      expect((await oven.call("GET", "agent-workflow-executions/999999999999999999999")).status).toBe(400);
    });
  });

  describe("MCP servers", () => {
    it("are generated with the export, kept in step with the definition, and named by their workflow [004-089] [004-137] [004-138] [004-139] [004-178] [004-180] [004-182] [004-183]", async () => {
      const { body } = await create({
        name: "Exported flow",
        definition: {
          ...simple,
          mcpExport: true,
          payloadSchema: { type: "object", properties: { a: { type: "string" } } },
        },
      });
      const server = async () => (await oven.call("GET", `mcp-servers?filter={"agentWorkflowId":${body.id}}`)).body[0];
      const first = await server();
      expect(first).toMatchObject({ slug: "exported-flow", status: "active", lastGeneratedAt: expect.any(String) });
      const [tool] = first.toolDefinitions;
      expect(tool).toMatchObject({
        name: "exported_flow",
        title: "Exported flow",
        description: expect.any(String),
        inputSchema: { properties: { a: { type: "string" } } },
      });
      expect(tool.outputSchema.properties).toHaveProperty("status");
      const definition = {
        ...simple,
        mcpExport: true,
        payloadSchema: { type: "object", properties: { b: { type: "integer" } } },
      };
      await oven.call("PUT", `agent-workflows/${body.id}`, { definition });
      expect((await server()).toolDefinitions[0].inputSchema.properties).toEqual({ b: { type: "integer" } });
      expect(await eventsOf("mcp.generated", `agent-workflow:${body.id}`)).toHaveLength(2);
    });
  });

  describe("events", () => {
    it("tell of workflows [004-199] [004-200] [004-201]", async () => {
      const { id } = await createdSimple("Announced");
      await oven.call("PUT", `agent-workflows/${id}`, { name: "Renamed" });
      await oven.call("DELETE", `agent-workflows/${id}`);
      const key = `agent-workflow:${id}`;
      expect(await eventsOf("workflow.created", key)).toEqual([{ id, name: "Announced", slug: "announced" }]);
      expect(await eventsOf("workflow.updated", key)).toEqual([{ id, name: "Renamed", slug: "announced", version: 1 }]);
      expect(await eventsOf("workflow.deleted", key)).toEqual([{ id, slug: "announced" }]);
    });

    it("tell of runs: started, paused, resumed, completed [004-164] [004-202] [004-203] [004-205] [004-206]", async () => {
      const { id, agentWorkflowId } = finished;
      const key = `execution:${id}`;
      expect(await eventsOf("execution.started", key)).toMatchObject([{ id, agentWorkflowId, agentId: null }]);
      expect(await eventsOf("execution.paused", key)).toMatchObject([
        { id, agentWorkflowId, nodeId: "review", reason: expect.any(String) },
      ]);
      expect(await eventsOf("execution.resumed", key)).toMatchObject([{ id, agentWorkflowId, decision: "approve" }]);
      expect(await eventsOf("execution.completed", key)).toMatchObject([
        { id, agentWorkflowId, status: "completed", tokenUsage: finished.tokenUsage },
      ]);
    });

    it("tell of a failed run with its error [004-204]", async () => {
      const definition = {
        initial: "one",
        states: { one: { invoke: { src: "core.fail", input: { message: "No stock" } } } },
      };
      const { body } = await create({ name: "Failing", definition });
      const run = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input: {} });
      expect(await eventsOf("execution.failed", `execution:${run.body.id}`)).toMatchObject([
        { id: run.body.id, agentWorkflowId: body.id, error: expect.stringContaining("No stock") },
      ]);
    });

    it("carry their tenant, and the registry lists them with their modules [004-268]", async () => {
      const { body: modules } = await oven.call("GET", "modules");
      const listed = modules.flatMap(({ events }: { events: string[] }) => events);
      for (const name of ["workflow.created", "execution.paused", "node.completed", "mcp.generated"]) {
        expect(listed).toContain(`agents-workflow.${name}`);
      }
      expect(
        await oven.db.query("select distinct tenant_id from outbox_events where order_key like 'execution:%'"),
      ).toEqual([{ tenant_id: 1 }]);
    });
  });
});
