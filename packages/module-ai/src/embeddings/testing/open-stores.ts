import { type JsonObject, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Database } from "@oven/db";
import { createRuntime, createSystemModule, invokeRoute, type ServiceMap } from "@oven/module-registry";
import { type ModelScript, type ModelServer, type ModelServerOptions, startModelServer } from "@oven/testing";
import { createAiModule } from "../../ai.module.ts";

export interface OpenStores {
  services: ServiceMap;
  server: ModelServer;
  /** A route of module-ai with its checks of shape; `params` by name. */
  invoke<T>(method: string, path: string, given?: Given): Promise<T>;
  close(): Promise<void>;
}

interface Given {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  principal?: Principal;
}

/** Each word of the list is one dimension: a text's vector counts them, so likeness can be reckoned by hand. */
export function countWords(...words: string[]): (text: string) => number[] {
  return (text) => words.map((word) => text.toLowerCase().split(word).length - 1);
}

export const stranger: Principal = { ...SYSTEM_PRINCIPAL, tenantId: 2 };

/** module-ai in a real runtime, with a scripted model server at the other end of the wire. */
export async function openStores(
  db: Database,
  {
    script = [],
    embed,
    variables = {},
  }: { script?: ModelScript; embed?: ModelServerOptions["embed"]; variables?: Record<string, string> } = {},
): Promise<OpenStores> {
  const server = await startModelServer(script, {
    models: ["house-model", "house-embed"],
    ...(embed === undefined ? {} : { embed }),
  });
  const module = createAiModule();
  const runtime = await createRuntime({
    db,
    modules: [createSystemModule(), module],
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "test",
      demo: false,
      variables: { OPENAI_BASE_URL: embed === undefined ? undefined : server.url, ...variables },
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });
  return {
    services: runtime.services,
    server,
    async invoke<T>(method: string, path: string, { principal = SYSTEM_PRINCIPAL, ...given }: Given = {}) {
      const route = module.routes.find((candidate) => candidate.method === method && candidate.path === path);
      if (route === undefined) throw new Error(`No route ${method} ${path}`);
      const options = { principal, services: runtime.services, signal: AbortSignal.timeout(20_000) };
      return (await invokeRoute(route, given, options)) as T; // cast: the route's response schema
    },
    async close() {
      await runtime.stop();
      await server.close();
    },
  };
}

/** What the newest chat request of the server said. */
export function lastMessages({ requests }: ModelServer): { role: string; content: string }[] {
  const { messages } = (requests.at(-1)?.body ?? {}) as JsonObject; // cast: recorded JSON
  return messages as { role: string; content: string }[]; // cast: the chat wire format
}
