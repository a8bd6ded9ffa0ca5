import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectDatabase } from "@oven/db";
import { startBots } from "./start-bots.ts";

/*
 * A server with bots in a process that a test kills. Its first line is its port. Its clock is ahead by so many milliseconds, so that what the
 * killed one had to itself is due.
 */

const [, , dataDir, modelUrl, slackOrigin, ahead] = process.argv;
if (dataDir === undefined || modelUrl === undefined || slackOrigin === undefined || ahead === undefined)
  throw new Error("usage: bots-process DATA_DIR MODEL_URL SLACK_ORIGIN AHEAD_MS");
const oven = await startBots(() => new Date(Date.now() + Number(ahead)), {
  server: { url: modelUrl },
  db: await connectDatabase({ url: undefined, dataDir }),
  outboundAllow: [slackOrigin],
});
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
  const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) };
  const answer = await oven.handle(
    new Request(`http://localhost:3000${request.url}`, { method: request.method ?? "GET", headers, ...body }),
  );
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`); // cast: it listens on TCP
});
