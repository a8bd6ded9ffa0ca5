import { createOvenClient, type OvenClient } from "@oven/client";
import type { JsonObject } from "@oven/contract";
import type { RoutedConversation } from "@oven/contract/formats/routed.ts";
import { defineModule, defineTool, RUNNING_ROLES } from "@oven/module-registry";
import type { ModelReply } from "@oven/testing";
import { vi } from "vitest";
import { z } from "zod";
import { type FormatsOptions, type FormatsOven, startFormats } from "../../../shared/testing/start-formats.ts";

/** What a model was asked, and as which agent. */
export interface Asked {
  agent: string;
  body: JsonObject;
  tools: string[];
  system: string;
}

type Reply = ModelReply | ((asked: Asked) => ModelReply);

/** A server with routed graphs, its agents, and what their model was asked. */
export interface RoutedStory {
  oven: FormatsOven;
  client: OvenClient["routed"];
  key: string;
  clientFor(key: string): OvenClient["routed"];
  asked: Asked[];
  /** Answers, in order; then everyone says "Done." and ends. */
  replies: Reply[];
  /** Until the newest turn has ended or a person is asked. */
  settle(id: string): Promise<RoutedConversation>;
  /** One conversation's first turn, with those answers. */
  talk(graph: string, replies: Reply[], message?: string): Promise<RoutedConversation>;
  /** The nodes that ran in an execution, in order. */
  nodesOf(execution: number | undefined): Promise<string[]>;
}

export const next = (value: string): ModelReply => ({
  toolCalls: [{ id: "n1", name: "set_next", arguments: { next: value } }],
});
export const end = (text: string): ModelReply => ({ text, toolCalls: [{ id: "e1", name: "end", arguments: {} }] });
export const use = (...tools: string[]): ModelReply => ({
  toolCalls: tools.map((name, index) => ({ id: `t${index}`, name, arguments: {} })),
});

const AGENTS: readonly [name: string, slug: string, tools: string[]][] = [
  ["Router", "agent-uuid-router", ["internal_lookup"]],
  ["RC2", "agent-uuid-rc2", ["internal_lookup", "broken_lookup"]],
  ["DM2", "agent-uuid-dm2", ["internal_lookup"]],
  ["2N", "agent-uuid-2n", ["internal_lookup"]],
  ["externalSearchCaller", "agent-uuid-external-search", ["external_research", "internal_lookup"]],
  ["Plain", "plain", []],
  ["Other", "other", []],
];

const tool = (id: string, answer: () => string) =>
  defineTool({
    ...{ id, title: id, description: id },
    input: z.strictObject({}),
    output: z.strictObject({ found: z.string() }),
    permission: "research.use",
    effect: "pure",
    run: async () => ({ found: answer() }),
  });

export async function startRouted(options: FormatsOptions = {}): Promise<RoutedStory> {
  const asked: Asked[] = [];
  const replies: Reply[] = [];
  const research = defineModule({
    name: "module-research",
    namespace: "research",
    description: "Research.",
    dependencies: [],
    permissions: [{ id: "research.use", title: "Use it", roles: RUNNING_ROLES }],
    tools: [
      tool("external_research", () => "the wide world"),
      tool("internal_lookup", () => "the archive"),
      tool("broken_lookup", () => {
        throw new Error("the archive is closed");
      }),
    ],
  });
  const oven = await startFormats(
    ({ body }) => {
      const now = toAsked(body);
      asked.push(now);
      const reply = replies.shift() ?? end("Done.");
      return typeof reply === "function" ? reply(now) : reply;
    },
    { ...options, modules: [research, ...(options.modules ?? [])] },
  );
  const key = await oven.keyFor("admin");
  for (const [name, slug, toolBindings] of AGENTS) {
    const agent = { name, slug, systemPrompt: `You are ${name}.`, model: "openai:gpt-4o", toolBindings };
    const { status, body } = await oven.call("POST", "agents", agent, { key });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  asked.length = 0;
  const clientFor = (given: string) =>
    createOvenClient({ url: "http://localhost:3000", key: given, fetch: (request) => oven.handle(request) }).routed;
  const client = clientFor(key);
  const settle = (id: string) =>
    vi.waitFor(
      async () => {
        const found = await client.getConversation(id);
        if (found === null) throw new Error("a conversation is gone");
        if (found.status === "pending" || found.status === "running") throw new Error(`it is ${found.status}`);
        return found;
      },
      { timeout: 120_000, interval: 30 },
    );
  return {
    ...{ oven, client, key, clientFor, asked, replies, settle },
    async talk(graph, given, message = "Hello") {
      asked.length = 0;
      replies.splice(0, replies.length, ...given);
      return settle((await client.start(graph, message)).id);
    },
    async nodesOf(execution) {
      const { body } = await oven.call("GET", `agent-workflow-executions/${execution}`, undefined, { key });
      const nodes = body.nodes as { nodeId: string; item: string | null }[]; // cast: the shape of an execution
      return nodes.filter(({ item }) => item === null).map(({ nodeId }) => nodeId.replace(/^graph\./, ""));
    },
  };
}

function toAsked(body: JsonObject): Asked {
  const messages = body.messages as { role: string; content: string }[]; // cast: the wire
  const system = messages.find(({ role }) => role === "system")?.content ?? "";
  const tools = ((body.tools ?? []) as { function: { name: string } }[]).map((one) => one.function.name); // cast: the wire
  return { agent: /You are ([^.]+)\./.exec(system)?.[1] ?? "", body, tools, system };
}
