import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { expect } from "vitest";
import { createHttpServer } from "../http-server.ts";

type TestOptions = Parameters<typeof startTestOven<Parameters<typeof createRuntime>[0]["modules"]>>[0];
type ClientOptions = NonNullable<ConstructorParameters<typeof Client>[1]>;

/** An OVEN behind a real HTTP server, as MCP clients reach it. */
export interface McpEndpoint {
  oven: TestOven;
  /** `http://127.0.0.1:…`, which is its public address too. */
  origin: string;
  /** Of an MCP server: `support-reply`, `oven`, `triggers/7`. */
  urlOf(server: string): URL;
  /** A v2 client on the newest revision; it is closed with the endpoint. */
  connect(server: string, options?: EndpointClientOptions): Promise<Client>;
  /** A new key with these permissions. */
  keyWith(permissions: string[], more?: object): Promise<string>;
  close(): Promise<void>;
}

interface EndpointClientOptions {
  key?: string;
  capabilities?: NonNullable<ClientOptions["capabilities"]>;
  mode?: "auto" | "legacy";
  /** Sees each answer on its way to the client. */
  fetch?: typeof fetch;
  /** Before it connects: handlers of what the server asks. */
  prepare?: (client: Client) => void;
}

export async function openMcpEndpoint(options: Omit<TestOptions, "createRuntime">): Promise<McpEndpoint> {
  let oven: TestOven | undefined;
  const http = createHttpServer(
    async (request) => (oven === undefined ? new Response(null, { status: 503 }) : oven.handle(request)),
    () => undefined,
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  const { port } = http.server.address() as AddressInfo; // cast: it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  const started = await startTestOven({
    ...options,
    createRuntime,
    environment: { publicUrl: origin, ...options.environment },
  });
  oven = started;
  const clients: Client[] = [];
  const urlOf = (server: string) => new URL(`${origin}/api/mcp/${server}`);
  return {
    oven: started,
    origin,
    urlOf,
    connect: async (server, { key = TEST_KEY, capabilities, mode = "auto", fetch, prepare } = {}) => {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode }, ...(capabilities === undefined ? {} : { capabilities }) },
      );
      prepare?.(client);
      const headers = { authorization: `Bearer ${key}` };
      const options = { requestInit: { headers }, ...(fetch === undefined ? {} : { fetch }) };
      await client.connect(new StreamableHTTPClientTransport(urlOf(server), options));
      clients.push(client);
      return client;
    },
    keyWith: async (permissions, more = {}) => {
      const name = permissions.join().slice(0, 32);
      const { status, body } = await started.call("POST", "api-keys", { name, permissions, ...more });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.key;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await http.close();
      await started.stop();
    },
  };
}
