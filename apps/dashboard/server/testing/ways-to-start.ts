import { createOvenClient } from "@oven/client";
import { isOvenError, type JsonObject } from "@oven/contract";
import { expect } from "vitest";
import { direct, END, invoking, OPENS, OPENS_EACH, refusalOf, type Way } from "./way.ts";
import { WAYS_OF_A2A } from "./ways-of-a2a.ts";
import { WAYS_OF_FORMATS } from "./ways-of-formats.ts";
import { WAYS_OF_MCP } from "./ways-of-mcp.ts";
import { WAYS_OF_TRIGGERS } from "./ways-of-triggers.ts";
import { waysToGoOn } from "./ways-to-go-on.ts";

const MODEL = "openai:scripted-model";
const ORIGIN = "http://localhost:3000";

/** Of the other kind of workflow. */
const regular: Way = {
  name: "direct, of the other kind",
  prepare: async ({ stage, author, by }) => {
    const body = { name: stage.fresh("Vault"), definition: OPENS };
    const { id } = await stage.ok("POST", "workflows", body, author);
    return async () => refusalOf(await stage.oven.call("POST", `workflows/${id}/execute`, { input: {} }, by));
  },
};

const draft: Way = {
  name: "draft",
  prepare: async ({ stage, author, by }) => {
    const { id } = await stage.publish({ initial: "done", states: { done: END } }, author);
    const body = { definition: OPENS, baseVersion: 1, revision: 0 };
    await stage.ok("PUT", `agent-workflows/${id}/draft`, body, author);
    return async () =>
      refusalOf(await stage.oven.call("POST", `agent-workflows/${id}/draft/execute`, { input: {} }, by));
  },
};

const chat: Way = {
  name: "chat",
  prepare: async ({ stage, author, by }) => {
    const { id } = await stage.publish(OPENS, author);
    const session = await stage.ok("POST", "chat-sessions", { target: { kind: "agent-workflow", id } }, by);
    return async () =>
      refusalOf(await stage.oven.call("POST", `chat-sessions/${session.id}/messages`, { message: "Open" }, by));
  },
};

const AGENT = { model: MODEL, toolBindings: ["vault.turn"] };

const agentChat: Way = {
  name: "chat with an agent",
  byTool: true,
  prepare: async ({ stage, author, by }) => {
    const { id } = await stage.ok("POST", "agents", { name: stage.fresh("Keeper"), ...AGENT }, author);
    const session = await stage.ok("POST", "chat-sessions", { target: { kind: "agent", id } }, by);
    return async () =>
      refusalOf(await stage.oven.call("POST", `chat-sessions/${session.id}/messages`, { message: "Open" }, by));
  },
};

/** A client of OpenAI's. */
const openAiWorkflow: Way = {
  name: "response in OpenAI's shape",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author);
    const body = { model: `agent-workflow:${slug}`, input: "Open" };
    return async () => refusalOf(await stage.oven.call("POST", "v1/responses", body, by));
  },
};

const openAiAgent: Way = {
  name: "response of an agent in OpenAI's shape",
  byTool: true,
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.ok("POST", "agents", { name: stage.fresh("Keeper"), ...AGENT }, author);
    const body = { model: `agent:${slug}`, input: "Open" };
    return async () => refusalOf(await stage.oven.call("POST", "v1/responses", body, by));
  },
};

const completion: Way = {
  name: "chat completion in OpenAI's shape",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author);
    const body = { model: `agent-workflow:${slug}`, messages: [{ role: "user", content: "Open" }] };
    return async () => {
      const answer = await stage.oven.call("POST", "v1/chat/completions", body, by);
      // A run that fails is answered as 400.
      return answer.body.error?.type === "run_failed" ? undefined : refusalOf(answer);
    };
  },
};

/** The package for TypeScript. */
const typescriptClient: Way = {
  name: "TypeScript client",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author);
    const client = createOvenClient({
      url: ORIGIN,
      key: by.key ?? "",
      retries: 0,
      fetch: (request) => {
        const headers = new Headers(request.headers);
        // A person of the matrix has a session instead.
        if (by.key === null) headers.delete("authorization");
        for (const [name, value] of Object.entries(by.headers ?? {})) headers.set(name, value);
        return stage.oven.handle(new Request(request, { headers }));
      },
    });
    return async () => {
      try {
        await client.agentWorkflows.start(slug, {});
        return undefined;
      } catch (error) {
        if (isOvenError(error) && [401, 403, 404].includes(error.status)) return `${error.status} ${error.message}`;
        throw error;
      }
    };
  },
};

/** An agent, with a workflow of its author's or with tools of its own. */
const agentCall = (name: string, settings?: object): Way => ({
  name,
  ...(settings === undefined ? {} : { byTool: true }),
  prepare: async ({ stage, author, by }) => {
    const more = settings ?? { workflowId: (await stage.publish(OPENS, author)).id };
    const { slug } = await stage.ok("POST", "agents", { name: stage.fresh("Keeper"), ...more }, author);
    return async () => refusalOf(await stage.oven.call("POST", `agents/${slug}/invoke`, { message: "Open" }, by));
  },
});

/** An admin's workflow that asks an agent of `author`'s. */
const subagent: Way = {
  name: "agent asked by an admin's workflow",
  byTool: true,
  prepare: async (cast) => {
    const { stage, author, admin } = cast;
    const { slug } = await stage.ok("POST", "agents", { name: stage.fresh("Keeper"), ...AGENT }, author);
    return direct("", invoking("agent.subagent", { agent: slug, message: "Open" })).prepare({ ...cast, author: admin });
  },
};

const toolCall: Way = {
  ...direct(
    "tool executor",
    invoking("agent.toolExecutor", {
      toolCalls: [{ toolCallId: "c1", tool: "vault.turn", arguments: {} }],
      tools: ["vault.turn"],
    }),
  ),
  byTool: true,
};
const toolLoop: Way = {
  ...direct("tool loop", invoking("agent.toolLoop", { model: MODEL, prompt: "Open", tools: ["vault.turn"] })),
  byTool: true,
};

const calling = (workflow: string): JsonObject =>
  invoking("core.callWorkflow", { kind: "agent-workflow", workflow, input: {} });
const childOf: Way = {
  name: "sub-workflow of an admin's workflow",
  prepare: async (cast) => {
    const child = await cast.stage.publish(OPENS, cast.author);
    return direct("parent", calling(String(child.id))).prepare({ ...cast, author: cast.admin });
  },
};
const parentOf: Way = {
  name: "workflow with an admin's sub-workflow",
  prepare: async (cast) => {
    const child = await cast.stage.publish(OPENS, cast.admin);
    return direct("parent", calling(String(child.id))).prepare(cast);
  },
};

/** A step that starts an admin's workflow as a run of its own. */
const operation: Way = {
  name: "operation that starts an admin's workflow",
  shut: "A version that needs no right to the vault hands none on",
  prepare: async (cast) => {
    const { slug } = await cast.stage.publish(OPENS, cast.admin);
    const input = { id: slug, input: {} };
    return direct("starter", invoking("agents-workflow.agentWorkflows.execute", input)).prepare(cast);
  },
};

const evaluation: Way = {
  name: "eval",
  prepare: async ({ stage, author, by, admin }) => {
    const { slug } = await stage.publish(OPENS, author);
    const target = { kind: "agent-workflow", id: slug };
    const body = { name: stage.fresh("Cases"), target, allowEffects: true };
    const dataset = await stage.ok("POST", "eval-datasets", body, admin);
    await stage.ok("POST", `eval-datasets/${dataset.id}/cases`, { name: "open", input: {} }, admin);
    return async () => {
      const started = await stage.oven.call("POST", `eval-datasets/${dataset.id}/run`, {}, by);
      if (started.status === 202)
        await expect
          .poll(async () => (await stage.ok("GET", `eval-runs/${started.body.id}`, undefined, admin)).status)
          .toMatch(/^(completed|cancelled)$/);
      return refusalOf(started);
    };
  },
};

/** A file of an admin's workflow, as from another installation, that `author` imports. */
const promotion: Way = {
  name: "promotion",
  prepare: async ({ stage, author, admin, by }) => {
    const { slug } = await stage.publish(OPENS, admin);
    const exported = await stage.ok("GET", `agent-workflows/${slug}/promotion`, undefined, admin);
    const [workflow] = exported.workflows;
    const here = stage.fresh("promoted").replace(" ", "-");
    const root = { ...exported.root, slug: here };
    const file = { ...exported, root, workflows: [{ ...workflow, slug: here, name: here }] };
    const { digest } = await stage.ok("POST", "promotions/plan", { file }, author);
    await stage.ok("POST", "promotions/apply", { file, digest }, author);
    return async () => refusalOf(await stage.oven.call("POST", `agent-workflows/${here}/execute`, { input: {} }, by));
  },
};

export const WAYS: readonly Way[] = [
  direct("direct", OPENS),
  regular,
  draft,
  chat,
  agentChat,
  openAiWorkflow,
  openAiAgent,
  completion,
  typescriptClient,
  agentCall("agent call"),
  agentCall("agent with tools", AGENT),
  subagent,
  toolCall,
  toolLoop,
  childOf,
  parentOf,
  operation,
  direct("forEach", OPENS_EACH),
  evaluation,
  promotion,
  ...waysToGoOn(),
  ...WAYS_OF_TRIGGERS,
  ...WAYS_OF_MCP,
  ...WAYS_OF_A2A,
  ...WAYS_OF_FORMATS,
];
