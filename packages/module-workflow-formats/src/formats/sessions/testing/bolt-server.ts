import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { Json, JsonObject } from "@oven/contract";
import { type Message, pack, unpackMessage } from "./pack-stream.ts";

/** What a query is answered with; a text: its failure. */
export type BoltScript = (query: string, parameters: JsonObject) => { fields: string[]; rows: Json[][] } | string;

export interface BoltServer {
  port: number;
  /** Users and passwords that came, and queries with what was bound to them. */
  logins: Json[];
  queries: { query: string; parameters: Json; mode: Json; database: Json }[];
  close(): Promise<void>;
}

const [HELLO, GOODBYE, RESET, RUN, BEGIN, COMMIT, ROLLBACK, PULL, LOGON, LOGOFF, DISCARD] = [
  0x01, 0x02, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x3f, 0x6a, 0x6b, 0x2f,
];
const [SUCCESS, RECORD, FAILURE, IGNORED] = [0x70, 0x71, 0x7f, 0x7e];
const VERSION_5_4 = Buffer.from([0, 0, 4, 5]);

/** Speaks Bolt 5.4 to the official driver on loopback, and answers queries from a script. */
export async function startBoltServer(script: BoltScript, password = "secret"): Promise<BoltServer> {
  const logins: Json[] = [];
  const queries: BoltServer["queries"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const send = (tag: number, field: Json) =>
      socket.write(framed(Buffer.concat([Buffer.from([0xb1, tag]), pack(field)])));
    let rows: Json[][] = [];
    let failed = false;
    const fail = (code: string, message: string) => {
      failed = true;
      send(FAILURE, { code, message });
    };
    const answer = ({ tag, fields }: Message) => {
      const [first = {}, second = {}, third = {}] = fields as JsonObject[]; // cast: of our messages they are objects
      if (tag === GOODBYE) return void socket.end();
      if (tag === RESET) failed = false;
      else if (failed) return void send(IGNORED, {});
      if (tag === LOGON) {
        logins.push([first.principal ?? null, first.credentials ?? null]);
        if (first.credentials !== password)
          return fail(
            "Neo.ClientError.Security.Unauthorized",
            "The client is unauthorized due to authentication failure.",
          );
      }
      if (tag === RUN) {
        const [query] = fields;
        queries.push({
          query: String(query),
          parameters: second,
          mode: third.mode ?? null,
          database: third.db ?? null,
        });
        const result = script(String(query), second);
        if (typeof result === "string") return fail("Neo.ClientError.Statement.SyntaxError", result);
        rows = result.rows;
        return void send(SUCCESS, { fields: result.fields, t_first: 0 });
      }
      if (tag === PULL) for (const row of rows.splice(0)) send(RECORD, row);
      if (tag === DISCARD) rows = [];
      const known = [HELLO, LOGON, LOGOFF, RESET, BEGIN, COMMIT, ROLLBACK, PULL, DISCARD];
      if (!known.includes(tag)) return fail("Neo.ClientError.Request.Invalid", `the message ${tag} is not understood`);
      send(
        SUCCESS,
        tag === HELLO ? { server: "Neo4j/5.26.0", connection_id: "bolt-1", hints: {} } : { has_more: false },
      );
    };
    let held = Buffer.alloc(0);
    let greeted = false;
    let message: Buffer[] = [];
    socket.on("data", (bytes) => {
      held = Buffer.concat([held, bytes]);
      if (!greeted) {
        if (held.length < 20) return;
        greeted = true;
        held = held.subarray(20);
        socket.write(VERSION_5_4);
      }
      while (held.length >= 2) {
        const size = held.readUInt16BE(0);
        if (held.length < size + 2) return;
        if (size > 0) message.push(held.subarray(2, size + 2));
        held = held.subarray(size + 2);
        if (size > 0 || message.length === 0) continue;
        const whole = Buffer.concat(message);
        message = [];
        answer(unpackMessage(whole));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    logins,
    queries,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function framed(message: Buffer): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(message.length);
  return Buffer.concat([size, message, Buffer.from([0, 0])]);
}
