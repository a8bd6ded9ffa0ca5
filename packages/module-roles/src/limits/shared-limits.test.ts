import { connectDatabase } from "@oven/db";
import { createTestPostgres, testDatabases } from "@oven/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { PASSWORD, startAccess } from "../testing/start-access.ts";
import { SharedAttempts } from "./shared-attempts.ts";

const postgresUrl = inject("postgresUrl");
const SECRET = "s".repeat(32);

describe.each(testDatabases(postgresUrl))("attempts that processes share, on $name", ({ open }) => {
  let database: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());
  const attempts = () => new SharedAttempts(database.db, SECRET);
  /** The first attempt is free, and the next one waits for as long as any does: no busy machine lets it through. */
  const STRICT = [{ key: "a", free: -10 }];
  const goBy = (seconds: number) =>
    database.db.query("update attempts set times = array(select t - $1::bigint * 1000000 from unnest(times) t)", [
      seconds,
    ]);
  const REFUSED = { code: "TOO_MANY_ATTEMPTS", status: 429 };

  it("are counted once for all, also at the very same moment, until they have waited", async () => {
    const both = [attempts(), attempts()];
    const made = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => both[index % 2]?.begin(STRICT)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(attempts().begin(STRICT)).rejects.toMatchObject(REFUSED);
    await goBy(15);
    await attempts().begin(STRICT);
    await expect(attempts().begin(STRICT)).rejects.toMatchObject(REFUSED);
    await goBy(15 * 60);
    await attempts().begin(STRICT);
    const [row] = await database.db.query<{ left: number }>("select cardinality(times)::int as left from attempts");
    // Those of the quarter of an hour before are forgotten.
    expect(row?.left).toBe(1);
  });

  it("do not count when they turn out right, nor where another limit refuses them", async () => {
    const A = [{ key: "a", free: 3 }];
    for (let count = 0; count < 6; count++) await (await attempts().begin(A))();
    const B = [{ key: "b", free: -10 }];
    await attempts().begin(B);
    for (let count = 0; count < 5; count++) await expect(attempts().begin([...A, ...B])).rejects.toMatchObject(REFUSED);
    for (let count = 0; count < 3; count++) await attempts().begin(A);
    const rows = await database.db.query<{ made: number }>(
      "select cardinality(times)::int as made from attempts order by made",
    );
    expect(rows.map(({ made: times }) => times)).toEqual([1, 3]);
  });

  it("with many keys in any order never wait for each other in a circle", async () => {
    const keys = ["x", "y", "z"].map((key) => ({ key, free: 1_000 }));
    const orders = [keys, keys.toReversed(), [keys[1], keys[2], keys[0]].filter((key) => key !== undefined)];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => (await attempts().begin(orders[index % 3] ?? keys))()),
    );
    const rows = await database.db.query<{ left: number }>("select cardinality(times)::int as left from attempts");
    expect(rows.map(({ left }) => left)).toEqual([0, 0, 0]);
  });

  it("store no word of what was typed, and do not ask again for what is closed", async () => {
    const one = attempts();
    const typed = [{ key: "sign-in my-password", free: -10 }];
    await one.begin(typed);
    expect(JSON.stringify(await database.db.query("select key from attempts"))).not.toContain("my-password");
    await expect(one.begin(typed)).rejects.toMatchObject(REFUSED);
    await database.db.query("delete from attempts");
    await expect(one.begin(typed)).rejects.toMatchObject(REFUSED);
  });
});

describe.runIf(postgresUrl !== undefined)("two servers on one PostgreSQL", () => {
  let test: { url: string; drop: () => Promise<void> };
  beforeAll(async () => {
    test = await createTestPostgres(postgresUrl ?? "");
  });
  afterAll(() => test.drop());

  it("hold a guesser and a busy key to the limits of one", async () => {
    const databases = await Promise.all([1, 2].map(() => connectDatabase({ url: test.url, dataDir: "unused" })));
    const servers: Awaited<ReturnType<typeof startAccess>>[] = [];
    for (const db of databases) servers.push(await startAccess({ db }));
    const [first] = servers;
    if (first === undefined) throw new Error("no server started");
    const at = (index: number) => servers[index % 2] ?? first;
    const body = { email: first.owner.email, password: "wrong password" };
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        at(index).call("POST", "auth/sign-in/email", { body, address: "6.6.6.6" }),
      ),
    );
    // Five are free. Each of two that count by themselves would take five; on a busy machine one or two have waited.
    const taken = guesses.filter(({ status }) => status === 401).length;
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(14 - taken);
    expect(taken).toBeGreaterThanOrEqual(5);
    expect(taken).toBeLessThanOrEqual(7);
    const right = { email: first.owner.email, password: PASSWORD };
    expect((await at(1).call("POST", "auth/sign-in/email", { body: right, address: "7.7.7.7" })).status).toBe(200);
    const { cookie } = first.owner;
    const { key } = (await first.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["*"] } })).body;
    const value = { moduleName: "module-roles", key: "CALLER_REQUESTS_PER_MINUTE", value: 3 };
    expect((await first.call("POST", "module-configs", { cookie, body: value })).status).toBe(201);
    const asked = await Promise.all(Array.from({ length: 16 }, (_, index) => at(index).call("GET", "things", { key })));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(13);
    for (const server of servers) await server.stop();
    for (const db of databases) await db.close();
  });
});
