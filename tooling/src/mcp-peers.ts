import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@oven/db/testing";
import { writeBrowserSettings } from "./mcp-peers/browser.ts";
import { installPeers } from "./mcp-peers/install.ts";
import { hasPassed, type PeerRow, toTable } from "./mcp-peers/peer-row.ts";
import { SERVERS } from "./mcp-peers/server-peers.ts";
import { startOven } from "./mcp-peers/start-oven.ts";
import { CLIENTS, tryClient } from "./mcp-peers/try-clients.ts";
import { prepareStage, tryServer } from "./mcp-peers/try-servers.ts";
import { watchCalls } from "./mcp-peers/watch-calls.ts";

/*
 * `pnpm mcp:peers [name …]`: clients and servers of MCP by others, from npm (`mcp-peers/`, installed at the first run), against an OVEN that is
 * started for it. Clients list, call, answer a review and read errors; servers are connected, approved, called by runs and ended in the middle
 * of a call. A name is that of a client's file or of a server's connection. Loopback only, but for the first installation. Ends with 1 when
 * one of them fails.
 */
const names = process.argv.slice(2);
const isMeant = (name: string) => names.length === 0 || names.includes(name);
const clients = CLIENTS.filter(({ file }) => isMeant(file));
const servers = SERVERS.filter(({ id }) => isMeant(id));

function tell(row: PeerRow): PeerRow {
  const over = row.transport === undefined ? "" : ` over ${row.transport}`;
  process.stdout.write(`${hasPassed(row) ? "passed" : "FAILED"} ${row.title} ${row.version}${over}\n`);
  return row;
}

installPeers();
const directory = mkdtempSync(join(tmpdir(), "oven-mcp-stage-"));
const { stage, stop: stopStage } = await prepareStage(directory, await writeBrowserSettings(directory));
const places = new Map<string, { port: number; watch: Awaited<ReturnType<typeof watchCalls>> }>();
for (const { id, transport } of servers) {
  if (transport !== "http") continue;
  const port = await freePort();
  places.set(id, { port, watch: await watchCalls(`http://127.0.0.1:${port}`) });
}
const operated = servers
  .filter(({ transport }) => transport === "stdio")
  .map(({ id, args, env }) => ({
    name: id,
    command: process.execPath,
    args: args(stage, 0),
    env: env?.(stage, 0) ?? {},
  }));
const oven = await startOven(
  operated,
  [...places.values()].map(({ watch }) => watch.url),
);
const rows: { clients: PeerRow[]; servers: PeerRow[] } = { clients: [], servers: [] };
try {
  for (const client of clients) rows.clients.push(tell(await tryClient(oven, client)));
  for (const server of servers) rows.servers.push(tell(await tryServer(oven, server, stage, places.get(server.id))));
} finally {
  await oven.stop();
  for (const { watch } of places.values()) await watch.stop();
  await stopStage();
  rmSync(directory, { recursive: true, force: true });
}

const passed = (tried: readonly PeerRow[]) => `${tried.filter(hasPassed).length} of ${tried.length}`;
/** A server that is spoken to in two ways has passed when both have. */
const packages = [...new Set(rows.servers.map(({ name }) => name))];
const sound = packages.filter((name) => rows.servers.every((row) => row.name !== name || hasPassed(row)));
if (rows.clients.length > 0) process.stdout.write(`\n${toTable("client", rows.clients)}\n`);
if (rows.servers.length > 0) process.stdout.write(`\n${toTable("server", rows.servers)}\n`);
process.stdout.write("\n");
process.stdout.write(
  `${passed(rows.clients)} clients, ${sound.length} of ${packages.length} servers (${passed(rows.servers)} connections)\n`,
);
process.exitCode = [...rows.clients, ...rows.servers].every(hasPassed) ? 0 : 1;
