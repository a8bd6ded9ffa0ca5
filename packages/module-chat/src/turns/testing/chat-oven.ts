import type { ChatMessage } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineNode,
  defineTool,
  done,
  RUNNING_ROLES,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { addPerson, type ModelServer, startTestOven, type TestOven } from "@oven/testing";
import { z } from "zod";
import { createChatModule } from "../../chat.module.ts";

/** A frame of a chat's stream. */
export interface Frame {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  data: any;
}

export interface ChatOven extends TestOven {
  /** Runs of the tool that needs approval. */
  paid: unknown[];
  /** The key of a new person with a role, for all that the role may do or less. */
  keyFor(role: string, permissions?: Record<string, string[]>): Promise<{ key: string; id: number; userId: number }>;
  /** Follows a chat until a frame is as asked; closes the stream. */
  follow(sessionId: number, until: (frame: Frame) => boolean, lastEventId?: string): Promise<Frame[]>;
  /** The messages of a chat, once they are as asked. */
  settled(sessionId: number, is: (messages: ChatMessage[]) => boolean): Promise<ChatMessage[]>;
}

/** What chats need, and a shop, with a scripted model server at the other end of the wire. */
export async function startChatOven(server: ModelServer, db?: Database): Promise<ChatOven> {
  const paid: unknown[] = [];
  const tool = (id: string, needsApproval: boolean) =>
    defineTool({
      id,
      title: `Tool ${id}`,
      description: `What ${id} does`,
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      permission: "shop.use",
      effect: needsApproval ? "at-most-once" : "pure",
      needsApproval,
      run: async ({ input }) => {
        if (needsApproval) paid.push(input);
        return { seen: input.id };
      },
    });
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: [],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    nodes: [
      defineNode({
        id: "shop.conversation",
        version: 1,
        title: "Conversation",
        docs: "Answers which conversation its run is a turn of.",
        category: "core",
        kind: "tool",
        effect: "idempotent",
        input: z.strictObject({}),
        output: z.strictObject({ message: z.string().nullable() }),
        run: async ({ services, node }) =>
          done({ message: (await services.workflowPlatform.conversations.of(node.rootExecutionId)) ?? null }),
      }),
    ],
    tools: [tool("shop.get", false), tool("shop.pay", true)],
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
      shop,
    ],
    environment: { variables: { OPENAI_BASE_URL: server.url } },
    ...(db === undefined ? {} : { db }),
  });
  return {
    ...oven,
    paid,
    async keyFor(role, permissions = { "*": ["*"] }) {
      const { id, key, keyId } = await addPerson(oven.db, role, { permissions });
      return { key, id: keyId, userId: id };
    },
    async follow(sessionId, until, lastEventId) {
      const gone = new AbortController();
      const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
      const response = await oven.fetch(`chat-sessions/${sessionId}/stream`, { headers, signal: gone.signal });
      if (response.body === null) throw new Error("the stream has no body");
      const frames: Frame[] = [];
      let rest = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = `${rest}${chunk}`.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
          if (id === undefined || event === undefined || data === undefined) continue;
          const frame = { id, event, data: JSON.parse(data) };
          frames.push(frame);
          if (!until(frame)) continue;
          gone.abort();
          return frames;
        }
      }
      throw new Error(`the stream ended after ${frames.length} frames`);
    },
    async settled(sessionId, is) {
      for (;;) {
        const { body } = await oven.call("GET", `chat-sessions/${sessionId}/messages?range=[0,99]`);
        if (Array.isArray(body) && is(body)) return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
