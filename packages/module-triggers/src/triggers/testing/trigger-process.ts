import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectDatabase } from "@oven/db";
import { startTriggers } from "./start-triggers.ts";

/* A server with triggers on the machine's own clock, in a process that a test kills. Its first line is its port. */

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error("the directory of the database is missing");
const { oven } = await startTriggers(undefined, await connectDatabase({ url: undefined, dataDir }));
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const answer = await oven.handle(
    new Request(`http://localhost:3000${request.url}`, {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    }),
  );
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`); // cast: it listens on TCP
});
