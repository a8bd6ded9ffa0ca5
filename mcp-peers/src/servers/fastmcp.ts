import { FastMCP } from "fastmcp";
import { z } from "zod";
import { wait } from "./slow.ts";

/* A server written with FastMCP: `fastmcp.ts <port>`. */
const server = new FastMCP({ name: "fastmcp-example", version: "1.0.0" });
server.addTool({
  name: "add",
  description: "Adds two numbers",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
server.addTool({
  name: "wait",
  description: "Takes long",
  parameters: z.object({}),
  execute: async () => {
    await wait();
    return "done";
  },
});
await server.start({ transportType: "httpStream", httpStream: { port: Number(process.argv[2]), host: "127.0.0.1" } });
