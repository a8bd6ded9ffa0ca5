import { randomUUID } from "node:crypto";
import type { EmbedMessage, EmbedSession } from "@oven/contract/embed";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createChatModule } from "@oven/module-chat";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { addPerson, type ModelServer, startTestOven, type TestOven } from "@oven/testing";
import { createEmbedModule } from "../../embed.module.ts";

export const ORIGIN = "https://shop.example.com";

export interface EmbedOven extends TestOven {
  /** A request as a browser on a page of this origin sends it. */
  visit(method: string, path: string, options?: VisitOptions): Promise<Response>;
  session(publicId: string, visitor?: object, origin?: string): Promise<EmbedSession>;
  say(publicId: string, token: string, message: string, key?: string): Promise<Response>;
  /** The last of the messages, once it is as asked. */
  settled(publicId: string, token: string, is: (message: EmbedMessage) => boolean): Promise<EmbedMessage>;
  /** The key of a new person with a role. */
  keyFor(role: string): Promise<{ key: string; userId: number }>;
}

interface VisitOptions {
  origin?: string | null;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What embeds need, with a scripted model server at the other end of the wire. */
export async function startEmbedOven(server: ModelServer): Promise<EmbedOven> {
  const modules = [
    createSystemModule(),
    createRolesModule(),
    createWorkflowsModule(),
    createAiModule(),
    createAgentCoreModule(),
    createAgentWorkflowsModule(),
    createChatModule(),
    createEmbedModule(),
  ];
  const variables = { OPENAI_BASE_URL: server.url };
  const oven = await startTestOven({ createRuntime, modules, environment: { variables } });
  const visit: EmbedOven["visit"] = (method, path, { origin = ORIGIN, token, body, headers, signal } = {}) =>
    oven.handle(
      new Request(`http://localhost:3000/api/embed/${path}`, {
        method,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...(origin === null ? {} : { origin }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return {
    ...oven,
    visit,
    async session(publicId, visitor, origin = ORIGIN) {
      const body = visitor === undefined ? {} : { visitor };
      const response = await visit("POST", `${publicId}/sessions`, { body, origin });
      if (!response.ok) throw new Error(`no session: ${await response.text()}`);
      return (await response.json()) as EmbedSession; // cast: the shape of the route
    },
    say: (publicId, token, message, key = randomUUID()) =>
      visit("POST", `${publicId}/messages`, { token, body: { key, message } }),
    async settled(publicId, token, is) {
      for (;;) {
        const response = await visit("GET", `${publicId}/messages`, { token });
        const list = (await response.json()) as EmbedMessage[]; // cast: the shape of the route
        const last = list.at(-1);
        if (last !== undefined && is(last)) return last;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async keyFor(role) {
      const { id, key } = await addPerson(oven.db, role);
      return { key, userId: id };
    },
  };
}
