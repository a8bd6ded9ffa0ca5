import { databaseUnavailable } from "@oven/db";
import { expect, it } from "vitest";
import { OutageLines } from "./outage-lines.ts";

/** As the query builder throws it when there is no connection. */
function lostQuery(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  return new Error('Failed query: select "id" from "users" where email = $1\nparams: ada@example.com', { cause });
}

it("says of a lost database one line without SQL, and each kind once a second", () => {
  let now = 0;
  const lines = new OutageLines(() => now);
  expect(lines.shorten(["sweeping failed, trying again:", lostQuery()])).toEqual([
    "sweeping failed, trying again: The database does not answer",
  ]);
  expect(lines.shorten(["sweeping failed, trying again:", lostQuery()])).toBeUndefined();
  expect(lines.shorten(["sending failed:", databaseUnavailable(lostQuery())])).toHaveLength(1);
  expect(lines.shorten(["execution 7 waits:", lostQuery()])).toHaveLength(1);
  expect(lines.shorten(["execution 8 waits:", lostQuery()])).toBeUndefined();
  now = 1_000;
  expect(lines.shorten(["sweeping failed, trying again:", lostQuery()])).toHaveLength(1);
});

it("cuts SQL out of lines that have it as text", () => {
  const [line] = new OutageLines(() => 0).shorten([`documents: trying again: ${String(lostQuery())}`]) ?? [];
  expect(line).toBe("documents: trying again: Error: a query failed");
});

it("leaves everything else as it is, stack and all, as often as it comes", () => {
  const lines = new OutageLines(() => 0);
  const bug = new TypeError("undefined is not a function");
  for (const _ of [1, 2]) expect(lines.shorten(["working failed:", bug])).toEqual(["working failed:", bug]);
  expect(lines.shorten(["listening on http://127.0.0.1:3000"])).toEqual(["listening on http://127.0.0.1:3000"]);
});
