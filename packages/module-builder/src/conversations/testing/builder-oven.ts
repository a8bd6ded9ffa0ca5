import type { Json, JsonObject } from "@oven/contract";
import type { ChatMessage } from "@oven/contract/agent";
import type { BuilderOutput, Building } from "@oven/contract/workflow";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createChatModule } from "@oven/module-chat";
import { createRuntime, createSystemModule, type ModuleDefinition } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import {
  addPerson,
  type ModelReply,
  type ModelServer,
  startModelServer,
  startTestOven,
  type TestOven,
} from "@oven/testing";
import { createBuilderModule } from "../../builder.module.ts";

/** What a conversation came to: its newest message and the output of that message's run. */
export interface Settled {
  message: ChatMessage;
  output: BuilderOutput | null;
}

export interface BuilderOven extends TestOven {
  server: ModelServer;
  /** What the model says, in order. */
  script(...replies: ModelReply[]): void;
  /** Takes away what the model was not asked for, and answers how much that was. */
  unsaid(): number;
  start(message: string, workflowId?: number): Promise<Building>;
  /** The newest message of a conversation once its run has ended, or waits for a person. */
  settled(chatId: number, key?: string): Promise<Settled>;
  /** The key of an administrator of a tenant. */
  keyOf(tenantId: number): Promise<string>;
  /** What the tools have answered in the run of a message, by tool, in order. */
  answers(executionId: number): Promise<{ tool: string; result?: Json; error?: string }[]>;
}

/** What the builder needs, with a scripted model server at the other end of the wire. */
export async function startBuilderOven({
  more = [],
  connected = true,
}: {
  more?: readonly ModuleDefinition[];
  /** Whether a model server is connected. */
  connected?: boolean;
} = {}): Promise<BuilderOven> {
  const replies: ModelReply[] = [];
  const server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createChatModule(),
      createBuilderModule(),
      ...more,
    ],
    environment: { variables: connected ? { OPENAI_BASE_URL: server.url } : {} },
  });
  return {
    ...oven,
    server,
    script: (...said) => {
      replies.push(...said);
    },
    unsaid: () => replies.splice(0).length,
    start: async (message, workflowId) => {
      const { status, body } = await oven.call("POST", "builder/conversations", {
        message,
        ...(workflowId === undefined ? {} : { workflowId }),
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    settled: async (chatId, key) => {
      const as = key === undefined ? {} : { key };
      for (;;) {
        const { body } = await oven.call("GET", `chat-sessions/${chatId}/messages?range=[0,99]`, undefined, as);
        const message: ChatMessage | undefined = Array.isArray(body) ? body.at(-1) : undefined;
        if (message !== undefined && !["pending", "running"].includes(message.status)) {
          const run = await oven.call("GET", `agent-workflow-executions/${message.executionId}`, undefined, as);
          return { message, output: message.status === "completed" ? run.body.output : null };
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    keyOf: async (tenantId) => (await addPerson(oven.db, "admin", { tenantId })).key,
    answers: async (executionId) => {
      const { body } = await oven.call("GET", `agent-workflow-executions/${executionId}`);
      return body.nodes.flatMap(({ toolCalls }: { toolCalls?: JsonObject[] }) => toolCalls ?? []);
    },
    stop: async () => {
      await oven.stop();
      await server.close();
    },
  };
}
