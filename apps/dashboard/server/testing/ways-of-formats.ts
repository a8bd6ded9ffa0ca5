import type { JsonObject } from "@oven/contract";
import { expect } from "vitest";
import { connectAs, toRefusal } from "./in-process-mcp.ts";
import { type Cast, type Refusal, refusalOf, type Way } from "./way.ts";

/* A source document belongs to one person, who alone may run it: whom it belongs to is the author. */

const MODEL = "openai:scripted-model";

/** What `author` may not even write is refused there. */
async function written(
  { stage, author }: Cast,
  method: string,
  path: string,
  body: unknown,
): Promise<{ refused: Refusal; body: Awaited<ReturnType<typeof stage.ok>> }> {
  const answer = await stage.oven.call(method, path, body, author);
  const isRefused = answer.status === 422 && JSON.stringify(answer.body).includes("vault.open");
  return { refused: isRefused ? `refused ${answer.body.error.message}` : refusalOf(answer), body: answer.body };
}

const chainOf = (name: string): JsonObject => ({
  name,
  description: "For this test.",
  executors: [
    {
      ...{ executor_id: "open", name: "Open", model: MODEL, tools: ["vault.turn"] },
      ...{ system_prompt: "Open the vault.", output_schema: { ok: "bool" } },
    },
  ],
});

const chain = (name: string, start: (cast: Cast, id: string) => Promise<() => Promise<Refusal>>): Way => ({
  name,
  byTool: true,
  prepare: async (cast) => {
    // A chain runs as soon as it is made, unless it is for later.
    const spec = { ...chainOf(cast.stage.fresh("Chain")), schedule_type: "recurring", cron_expression: "0 9 1 1 *" };
    const made = await written(cast, "POST", "executor-chains", spec);
    if (made.refused !== undefined) return async () => made.refused;
    return start(cast, made.body.workflow_id);
  },
});

const chainRun = chain("chain", async ({ stage, by }, id) => async () => {
  return refusalOf(await stage.oven.call("POST", `executor-chains/${id}/run`, { wait: 20 }, by));
});

const chainOverMcp = chain("run_workflow over MCP", async ({ stage, by }, id) => {
  const client = await connectAs(stage, "oven", by);
  return () => toRefusal(client.callTool({ name: "run_workflow", arguments: { workflow_id: id } }));
});

const linear: Way = {
  name: "linear workflow",
  byTool: true,
  prepare: async (cast) => {
    const { stage, author, by } = cast;
    const { uuid } = await stage.ok(
      "POST",
      "linear-workflows",
      { name: stage.fresh("Linear"), description: "" },
      author,
    );
    await stage.ok("PUT", `linear-workflows/${uuid}/trigger`, { type_id: "manual" }, author);
    const step = { type: "custom_agent", name: stage.fresh("Open"), position: -1 };
    const { steps } = await stage.ok("POST", `linear-workflows/${uuid}/steps`, step, author);
    const path = `linear-agent-steps/${steps[0]}`;
    const agent = await stage.ok("GET", path, undefined, author);
    const more = { model: MODEL, system_prompt: "Open the vault.", tools: { "vault.turn": { enabled: true } } };
    const saved = await written(cast, "PUT", path, { ...agent, ...more });
    if (saved.refused !== undefined) return async () => saved.refused;
    return async () => {
      const answer = await stage.oven.call("POST", `linear-workflows/${uuid}/instances`, { triggering_data: {} }, by);
      const { code, message } = answer.body.error ?? {};
      // To a person who may not call the tool, the step names none that there is.
      if (code === "WORKFLOW_INCOMPLETE") expect(message).toContain("vault.turn");
      return code === "WORKFLOW_INCOMPLETE" ? `refused ${message}` : refusalOf(answer);
    };
  },
};

const routed: Way = {
  name: "routed graph",
  byTool: true,
  prepare: async (cast) => {
    const { stage, author, by } = cast;
    const agent = { name: stage.fresh("Router"), model: MODEL, toolBindings: ["vault.turn"] };
    const { slug } = await stage.ok("POST", "agents", agent, author);
    const id = stage.fresh("routed").replace(" ", "-");
    const node = (name: string, agentId: string | null): JsonObject => ({
      ...{ id: name, workflowId: id, nodeName: name, agentId },
      nodeType: agentId === null ? "TOOL_EXECUTOR" : "AGENT",
    });
    const edge = (from: string, to: string | null, value: string | null): JsonObject => ({
      ...{ id: `${from}-${to}`, workflowId: id, sourceNodeId: from, targetNodeId: to },
      ...{ conditionType: value === null ? "ALWAYS" : "CONDITIONAL", conditionValue: value },
    });
    const graph = {
      ...{ id, name: id, description: "", isConversational: true, entrypointNodeId: "opener" },
      nodes: [node("opener", slug), node("tools", null)],
      edges: [edge("opener", "tools", "tools"), edge("opener", null, "END"), edge("tools", "opener", null)],
    };
    const made = await written(cast, "PUT", `routed-graphs/${id}`, graph);
    if (made.refused !== undefined) return async () => made.refused;
    return async () =>
      refusalOf(await stage.oven.call("POST", `routed-graphs/${id}/conversations`, { message: "Open" }, by));
  },
};

const sessionGraph: Way = {
  name: "session graph",
  prepare: async ({ stage, author, by }) => {
    const body = { steps: { root: { function: "vault.open", input: {} } }, next: [] };
    const graph = await stage.ok("POST", "session-graphs", body, author);
    return async () =>
      refusalOf(await stage.oven.call("POST", `session-graphs/${graph.graph_id}/sessions`, undefined, by));
  },
};

export const WAYS_OF_FORMATS: readonly Way[] = [chainRun, chainOverMcp, linear, routed, sessionGraph];
