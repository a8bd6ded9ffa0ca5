import pg from "pg";
import { measure, NODES, print, text } from "./measure.ts";

/* One inserted row and one commit per node: what no durable engine on this database can beat. */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });
await pool.query("create table floor (id bigint generated always as identity primary key, value json)");
const insert = (value: unknown) =>
  pool.query({ name: "insert", text: "insert into floor (value) values ($1)", values: [JSON.stringify(value)] });

print(
  await measure({
    system: "floor: one-row insert",
    runLinear: async () => {
      for (let node = 0; node < NODES; node++) await insert({ node, text: text(node, 150) });
    },
    runLoop: async () => {
      for (let step = 0; step < 1_000; step++) await insert({ role: "user", content: text(step, 1_024) });
    },
  }),
);
await pool.end();
