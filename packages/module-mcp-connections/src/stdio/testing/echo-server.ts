/*
 * A server of the older era on standard input and output, as a program of its own. It tells its environment, its process id and a
 * long number, asks a question, and hangs up when it is told to.
 */
import { createInterface } from "node:readline";

const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const tool = (name: string) => ({ name, inputSchema: { type: "object", properties: {} } });
let asking: unknown;

function answer(id: unknown, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize")
    answer(id, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "echo", version: "1" },
    });
  else if (method === "tools/list") answer(id, { tools: ["ask", "environment", "leave", "long", "pid"].map(tool) });
  else if (method === "tools/call" && params.name === "environment")
    answer(id, text(Object.keys(process.env).sort().join(" ")));
  else if (method === "tools/call" && params.name === "pid") answer(id, text(String(process.pid)));
  else if (method === "tools/call" && params.name === "long")
    // In two pieces, and with a number that JavaScript could not write.
    for (const piece of [
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"id":76159173`,
      `37495251231}}}\n`,
    ])
      process.stdout.write(piece);
  else if (method === "tools/call" && params.name === "leave") process.exit(3);
  else if (method === "tools/call" && params.name === "ask") {
    asking = id;
    const question = {
      message: "Which?",
      requestedSchema: { type: "object", properties: { which: { type: "string" } } },
    };
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: "q1", method: "elicitation/create", params: question })}\n`,
    );
  } else if (id === "q1") answer(asking, text(`${result?.action}: ${result?.content?.which}`));
  else if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })}\n`,
    );
});
