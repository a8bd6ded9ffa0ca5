/* A server with a state, on standard input and output, as a program of its own: one page, and where it works. */
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";

const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const page = { type: "object", properties: { page: { type: "string" } } };
const tools = ["open", "look", "where"].map((name) => ({
  name,
  inputSchema: name === "open" ? page : { type: "object" },
}));
let shown = "blank";

function call({ name, arguments: given }: { name: string; arguments: { page: string } }): object {
  if (name === "open") shown = given.page;
  return text(name === "where" ? `${process.cwd()} ${readdirSync(".").length}` : shown);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const initialized = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "browser", version: "1" },
  };
  const outcome =
    method === "initialize"
      ? { result: initialized }
      : method === "tools/list"
        ? { result: { tools } }
        : method === "tools/call"
          ? { result: call(params) }
          : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
});
