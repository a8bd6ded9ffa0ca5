import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "../../../apps/dashboard/server/http-server.ts";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { startTestOven, TEST_KEY } from "../../../packages/testing/src/index.ts";
import { suiteModule } from "./suite-module.ts";

const DEFINITION = {
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { said: "$.trigger" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
};

/** An OVEN with an exported workflow and what the suite expects, behind the real HTTP server. */
export async function startSuiteServer(): Promise<{ url: string; stop(): Promise<void> }> {
  let handle: ((request: Request) => Promise<Response>) | undefined;
  // The suite has no credentials to send.
  const http = createHttpServer(
    async (request) => handle?.(withKey(request)) ?? new Response(null, { status: 503 }),
    () => undefined,
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  const { port } = http.server.address() as AddressInfo; // cast: it listens on TCP
  const oven = await startTestOven({
    createRuntime,
    modules: [...installedModules({ demo: false }), suiteModule],
    environment: { publicUrl: `http://localhost:${port}` },
  });
  handle = oven.handle;
  const body = { name: "Conformance", mcpExport: true, definition: DEFINITION };
  const made = await oven.call("POST", "agent-workflows", body);
  if (made.status !== 201) throw new Error(`the workflow was not made: ${JSON.stringify(made.body)}`);
  return {
    url: `http://localhost:${port}/api/mcp/conformance`,
    stop: async () => {
      await http.close();
      await oven.stop();
    },
  };
}

function withKey(request: Request): Request {
  if (request.headers.has("authorization")) return request;
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${TEST_KEY}`);
  const { method, url, signal } = request;
  const body = method === "POST" ? request.body : null;
  return new Request(url, { method, headers, signal, ...(body === null ? {} : { body, duplex: "half" }) });
}
