import { createServer } from "node:http";
import { PGlite } from "@electric-sql/pglite";

/* The least that answers requests from an embedded database: Node, its HTTP server, PGlite with its own settings. */
const [folder = "", port = "0"] = process.argv.slice(2);
const db = await PGlite.create({ dataDir: folder });
createServer(async (_, response) => {
  const { rows } = await db.query("select 1 as one");
  response.end(JSON.stringify(rows));
}).listen(Number(port), "127.0.0.1", () => void process.stdout.write("ready\n"));
process.on("SIGTERM", async () => {
  await db.close();
  process.exit(0);
});
