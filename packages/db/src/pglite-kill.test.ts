import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { connectDatabase } from "./connect.ts";

/** Writes row after row, and says each number once its insert was answered. */
const writer = `
  import { connectDatabase } from ${JSON.stringify(new URL("./connect.ts", import.meta.url).href)};
  const db = await connectDatabase({ url: undefined, dataDir: process.argv[1] });
  await db.query("create table if not exists kept (n int primary key, filler text)");
  const [{ last }] = await db.query("select coalesce(max(n), 0)::int as last from kept");
  for (let n = last + 1; ; n++) {
    await db.transaction((tx) => tx.query("insert into kept values ($1, repeat('x', 2000))", [n]));
    process.stdout.write(n + "\\n");
  }
`;

/** Kills the writer once it has said its `count`th number; answers the last number that was read. */
async function writeAndKill(dataDir: string, count: number): Promise<number> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", writer, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let acknowledged = 0;
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    acknowledged = Number(line);
    if (++lines === count) child.kill("SIGKILL");
  }
  await exited;
  expect(lines).toBeGreaterThanOrEqual(count);
  return acknowledged;
}

it("keeps every row that was acknowledged, however often the process is killed in the middle of writing", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "oven-killed-"));
  for (const count of [1, 60]) {
    const acknowledged = await writeAndKill(dataDir, count);
    const db = await connectDatabase({ url: undefined, dataDir });
    const [row] = await db.query("select max(n)::int as last, count(*)::int as rows from kept");
    await db.close();
    expect(row?.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row?.rows).toBe(row?.last);
  }
});
