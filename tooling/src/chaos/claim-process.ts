import { connectDatabase } from "../../../packages/db/src/index.ts";
import { RunKinds } from "../../../packages/module-workflows/src/runtime/run-kinds.ts";
import { SqlStore } from "../../../packages/module-workflows/src/runtime/sql-store.ts";
import { regularTables } from "../../../packages/module-workflows/src/tables/workflows.table.ts";
import { REGULAR } from "../../../packages/module-workflows/src/workflow-kind.ts";

/* Claims every run of a range, all at once, and says which it got. Arguments: URL, first id, last id. */
const [url = "", first = "0", last = "0"] = process.argv.slice(2);
const db = await connectDatabase({ url, dataDir: "unused" });
const kinds = new RunKinds();
kinds.add({ kind: REGULAR, tables: regularTables });
const store = new SqlStore(db, kinds, {
  onWritten: () => {},
  hasListeners: () => false,
  hasMatchingListener: () => false,
});
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const won: number[] = [];
for (let from = Number(first); from <= Number(last); from += 50) {
  const ids = Array.from({ length: Math.min(50, Number(last) - from + 1) }, (_, index) => from + index);
  const claims = await Promise.all(ids.map((id) => store.claim(id, `claimer ${process.pid}`, 600_000)));
  won.push(...claims.flatMap((claim) => claim?.id ?? []));
}
process.stdout.write(`${JSON.stringify(won)}\n`);
await db.close();
process.exit(0);
