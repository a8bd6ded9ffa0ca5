import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createSqlService, type SqlRequest, type SqlService } from "./sql-service.ts";
import { readSqlUrls } from "./sql-urls.ts";

const SUFFIX = `${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
/** Three logins: one for each of two tenants, and one with a right too many. */
const READER = `reader_${SUFFIX}`;
const OTHER = `other_${SUFFIX}`;
const STRONG = `strong_${SUFFIX}`;
const PASSWORD = "only-for-this-test";

let admin: Database;
let server: { url: string; drop: () => Promise<void> };
let sql: SqlService;
const urls = new Map<number, string>();

beforeAll(async () => {
  server = await createTestPostgres(inject("postgresUrl"), { migrated: false });
  admin = await connectDatabase({ url: server.url, dataDir: "" });
  for (const role of [READER, OTHER, STRONG])
    await admin.query(`create role ${role} login password '${PASSWORD}' nosuperuser nocreatedb nocreaterole`);
  await admin.query("create schema shop");
  await admin.query(
    "create table shop.orders (id bigint primary key, total numeric(10,2), paid boolean, at timestamptz, doc jsonb)",
  );
  await admin.query(
    `insert into shop.orders values (1, 12.50, true, '2026-01-01T10:00:00.5Z', '{"a":[1]}'), (2, 7, false, null, null)`,
  );
  await admin.query("create table shop.secrets (secret text)");
  await admin.query("insert into shop.secrets values ('of the other tenant')");
  await admin.query("create sequence shop.numbers");
  await admin.query(`grant usage on schema shop to ${READER}, ${OTHER}, ${STRONG}`);
  await admin.query(`grant select on shop.orders to ${READER}, ${STRONG}`);
  await admin.query(`grant select on shop.secrets to ${OTHER}`);
  for (const [tenantId, role] of [
    [1, READER],
    [2, OTHER],
    [3, STRONG],
  ] as const) {
    const url = new URL(server.url);
    url.username = role;
    url.password = PASSWORD;
    urls.set(tenantId, url.toString());
  }
  urls.set(4, server.url);
  urls.set(5, "postgres://nobody:wrong@127.0.0.1:1/none");
  sql = createSqlService(urls);
});

afterAll(async () => {
  for (const role of [READER, OTHER, STRONG]) {
    await admin.query(`drop owned by ${role}`);
    await admin.query(`drop role ${role}`);
  }
  await admin.close();
  await server.drop();
});

const ask = (query: string, more: Partial<SqlRequest> = {}) =>
  sql.query({
    tenantId: 1,
    query,
    params: [],
    maxRows: 100,
    // Far more than a statement needs on a busy machine: what is about a time-out names its own.
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...more,
  });

describe("core.sql on PostgreSQL", () => {
  it("reads rows with bound parameters, as JSON", async () => {
    expect(await ask("select * from shop.orders where id = $1", { params: [1] })).toEqual({
      rows: [{ id: 1, total: "12.50", paid: true, at: "2026-01-01T10:00:00.5Z", doc: { a: [1] } }],
      truncated: false,
    });
    const params = ["'; drop table shop.orders; --", true, { a: 1 }, null];
    expect(
      await ask("select $1::text as a, $2::boolean as b, $3::jsonb as c, $4::int as d, 1.5::float8 as e", { params }),
    ).toEqual({ rows: [{ a: params[0], b: true, c: { a: 1 }, d: null, e: 1.5 }], truncated: false });
    expect(
      (await ask("select 9007199254740993 as big, 'NaN'::float8 as nan, 'infinity'::timestamptz as never")).rows,
    ).toEqual([{ big: "9007199254740993", nan: "NaN", never: "infinity" }]);
  });

  it.each(["select 1 as a, 2 as a", "select o.*, p.* from shop.orders o join shop.orders p using (id)", "select 1, 2"])(
    "refuses an answer in which two columns have one name: %s",
    async (query) => {
      await expect(ask(query)).rejects.toMatchObject({ code: "SQL_REFUSED", path: "$.query", fix: expect.any(String) });
    },
  );

  it("has numbers exactly, as text where a number would be another one", async () => {
    const json = `'{"n": 9007199254740993, "list": [0.1234567890123456789, 1.5, 12345678901234567000]}'`;
    const query = `select ${json}::jsonb as b, ${json}::json as j, 1e400::numeric::text::jsonb as huge,
      7615917337495251231::int8 as i, 0.1234567890123456789::numeric as n, 0.1::float8 + 0.2 as f`;
    const long = { n: "9007199254740993", list: ["0.1234567890123456789", 1.5, 12345678901234567000] };
    expect((await ask(query)).rows).toEqual([
      {
        b: long,
        j: long,
        huge: `1${"0".repeat(400)}`,
        i: "7615917337495251231",
        n: "0.1234567890123456789",
        f: 0.1 + 0.2,
      },
    ]);
  });

  it("takes every form that reads: with, values, table, comments", async () => {
    expect((await ask("with a as (select 1 as n) select n + 1 as n from a -- done")).rows).toEqual([{ n: 2 }]);
    expect((await ask("values (1), (2)")).rows).toHaveLength(2);
    expect((await ask("table shop.orders")).rows).toHaveLength(2);
    expect((await ask("select 1 as n;")).rows).toEqual([{ n: 1 }]);
    expect(JSON.stringify((await ask(`select 1 as "__proto__", 2 as b`)).rows)).toBe('[{"__proto__":1,"b":2}]');
  });

  it("stops at the number of rows and says so", async () => {
    const answer = await ask("select n from generate_series(1, 1000000) n", { maxRows: 3 });
    expect(answer).toEqual({ rows: [{ n: 1 }, { n: 2 }, { n: 3 }], truncated: true });
    expect((await ask("select n from generate_series(1, 3) n", { maxRows: 3 })).truncated).toBe(false);
  });

  it("gives each tenant its own login, and none to others", async () => {
    expect((await ask("select secret from shop.secrets", { tenantId: 2 })).rows).toHaveLength(1);
    await expect(ask("select secret from shop.secrets")).rejects.toMatchObject({ code: "SQL_REFUSED" });
    await expect(ask("select 1", { tenantId: 9 })).rejects.toMatchObject({
      code: "SQL_NOT_CONFIGURED",
      fix: expect.stringContaining("OVEN_SQL_URL_9"),
    });
  });

  it("refuses a login that may do more than read", async () => {
    await expect(ask("select 1", { tenantId: 4 })).rejects.toMatchObject({
      code: "SQL_ROLE_TOO_STRONG",
      message: expect.stringContaining("superuser"),
    });
    expect((await ask("select 1 as n", { tenantId: 3 })).rows).toEqual([{ n: 1 }]);
    const excesses: [grant: string, revoke: string, said: string][] = [
      [
        `grant insert on shop.orders to ${STRONG}`,
        `revoke insert on shop.orders from ${STRONG}`,
        "may write shop.orders",
      ],
      [
        `grant update (paid) on shop.orders to ${STRONG}`,
        `revoke update (paid) on shop.orders from ${STRONG}`,
        "may write",
      ],
      [
        `grant usage on sequence shop.numbers to ${STRONG}`,
        `revoke usage on sequence shop.numbers from ${STRONG}`,
        "may write",
      ],
      [`grant create on schema shop to ${STRONG}`, `revoke create on schema shop from ${STRONG}`, "may create in shop"],
      [`grant pg_read_server_files to ${STRONG}`, `revoke pg_read_server_files from ${STRONG}`, "is a member of"],
      [`grant ${OTHER} to ${STRONG}`, `revoke ${OTHER} from ${STRONG}`, "is a member of"],
      [`alter role ${STRONG} bypassrls`, `alter role ${STRONG} nobypassrls`, "pass row security"],
      [
        `grant execute on function pg_read_file(text) to ${STRONG}`,
        `revoke execute on function pg_read_file(text) from ${STRONG}`,
        "may call pg_read_file",
      ],
      ["create table shop.oven_migrations_x ()", "drop table shop.oven_migrations_x", "OVEN's own tables"],
    ];
    for (const [grant, revoke, said] of excesses) {
      await admin.query(grant);
      await expect(ask("select 1", { tenantId: 3 }), grant).rejects.toMatchObject({
        code: "SQL_ROLE_TOO_STRONG",
        message: expect.stringContaining(said),
      });
      await admin.query(revoke);
    }
    expect((await ask("select 1 as n", { tenantId: 3 })).rows).toEqual([{ n: 1 }]);
  });

  it("ends what takes too long or says too much, and a run that is cancelled", async () => {
    await expect(ask("select pg_sleep(60)", { timeoutMs: 300 })).rejects.toMatchObject({ code: "SQL_TIMEOUT" });
    // 3 MiB where 2 are taken.
    await expect(ask("select repeat('x', 3145728)")).rejects.toMatchObject({ code: "SQL_TOO_LARGE" });
    const cancel = new AbortController();
    const asked = ask("select pg_sleep(300)", { signal: cancel.signal, timeoutMs: 300_000 });
    setImmediate(() => cancel.abort());
    await expect(asked).rejects.toMatchObject({ code: "SQL_TIMEOUT" });
    await expect(ask("select 1", { tenantId: 5 })).rejects.toMatchObject({ code: "SQL_UNREACHABLE", retryable: true });
  });

  it("leaves nothing behind: settings, locks, sessions", async () => {
    await ask("select set_config('app.tenant', '7', false), pg_advisory_lock(42), pg_notify('oven', 'x')");
    expect((await ask("select current_setting('app.tenant', true) as value")).rows).toEqual([{ value: null }]);
    const locks =
      "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
    // The server ends a session a moment after its connection has closed.
    await expect.poll(() => admin.query(locks)).toEqual([]);
    expect((await ask("select pg_try_advisory_lock(42) as free")).rows).toEqual([{ free: true }]);
  });
});

/** Each is refused by the server. */
const HOSTILE: [name: string, query: string][] = [
  ["a second statement", "select 1; select 2"],
  ["a commit between", "select 1; commit; drop table shop.orders"],
  ["a commit in a comment's shadow", "select 1 /* ; */; commit"],
  ["an empty second statement with a comment", "select 1; -- x\n drop table shop.orders"],
  ["insert", "insert into shop.orders values (3)"],
  ["update", "update shop.orders set paid = true"],
  ["delete", "delete from shop.orders"],
  ["truncate", "truncate shop.orders"],
  ["drop", "drop table shop.orders"],
  ["create", "create table shop.x (a int)"],
  ["a temporary table", "create temp table x (a int)"],
  ["select into", "select * into shop.copy from shop.orders"],
  ["a delete in with", "with d as (delete from shop.orders returning 1) select * from d"],
  ["an insert in with", "with d as (insert into shop.orders values (3) returning 1) select * from d"],
  ["a lock on rows", "select * from shop.orders for update"],
  ["set role", "set role postgres"],
  ["reset role", "reset role"],
  ["session authorization", "set session authorization default"],
  ["set_config of the role", "select set_config('role', 'postgres', false)"],
  ["set_config of the user", "select set_config('session_authorization', 'postgres', false)"],
  ["a way back to writing", "select set_config('transaction_read_only', 'off', true)"],
  ["begin", "begin"],
  ["commit alone", "commit"],
  ["rollback", "rollback"],
  ["copy from a program", "copy shop.orders from program 'id'"],
  ["copy to a program", "copy (select 1) to program 'id'"],
  ["copy to a file", "copy shop.orders to '/tmp/x'"],
  ["copy to us", "copy shop.orders to stdout"],
  ["do", "do $$ begin perform 1; end $$"],
  ["call", "call pg_catalog.nothing()"],
  ["explain analyze", "explain analyze delete from shop.orders"],
  ["prepare", "prepare x as select 1"],
  ["execute", "execute statement_1"],
  ["listen", "listen x"],
  ["a cursor of its own", "declare c cursor for select 1"],
  ["close of ours", "close answer"],
  ["a hold", "select 1 with hold"],
  ["a file of the server", "select pg_read_file('/etc/passwd')"],
  ["a binary file", "select pg_read_binary_file('/etc/passwd')"],
  ["a folder", "select * from pg_ls_dir('/')"],
  ["a file's facts", "select pg_stat_file('/etc/passwd')"],
  ["an import of a file", "select lo_import('/etc/passwd')"],
  ["an export to a file", "select lo_export(1, '/tmp/x')"],
  ["a large object", "select lo_put(1, 0, 'x')"],
  ["another server", "select * from dblink('host=127.0.0.1', 'select 1') as t(a int)"],
  ["passwords", "select rolpassword from pg_authid"],
  ["password hashes by view", "select passwd from pg_shadow"],
  ["another tenant's table", "select * from shop.secrets"],
  ["another tenant's table in text", "select query_to_xml('select * from shop.secrets', true, true, '')"],
  ["a write in text", "select query_to_xml('delete from shop.orders', true, true, '')"],
  ["a commit in text", "select query_to_xml('commit', true, true, '')"],
  ["another database", "select * from postgres.public.x"],
  ["a sequence", "select nextval('shop.numbers')"],
  ["a configuration reload", "select pg_reload_conf()"],
  ["a setting of the server's files", "select current_setting('config_file')"],
  ["the settings file", "select * from pg_file_settings"],
  ["statistics reset", "select pg_stat_reset()"],
  ["a subscription", "create subscription s connection 'x' publication p"],
  ["an extension", "create extension dblink"],
  ["a language", "create function shop.f() returns int language sql as 'select 1'"],
  ["a security label", "alter role current_user superuser"],
  ["grant", "grant select on shop.secrets to public"],
  ["vacuum", "vacuum"],
  ["a cast to what is not there", "select 'shop.nothing'::regclass"],
  ["an injection into our own statement", "select 1) to '/tmp/x'"],
  ["nothing", ";"],
  ["only a comment", "-- select 1"],
  ["another session's end", "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user"],
];

describe("a hostile statement changes and shows nothing:", () => {
  const isUnchanged = async () =>
    expect(await admin.query("select count(*) as n, bool_or(paid is null) as changed from shop.orders")).toEqual([
      { n: 2, changed: false },
    ]);

  it.each(HOSTILE)("%s", async (_name, query) => {
    await expect(ask(query)).rejects.toMatchObject({ code: "SQL_REFUSED" });
    await isUnchanged();
  });

  it("a time-out taken away", async () => {
    const query = "select set_config('statement_timeout', '0', true), pg_sleep(300)";
    await expect(ask(query, { timeoutMs: 300 })).rejects.toMatchObject({ code: "SQL_TIMEOUT" });
    await isUnchanged();
  });

  it("what a statement sees of others is its own session", async () => {
    const seen = await ask(
      "select query from pg_stat_activity where usename <> current_user and query not like '<%' and query <> ''",
    );
    expect(seen.rows).toEqual([]);
  });
});

describe("the URLs of the environment", () => {
  it("belong to one tenant each; the bare name is the default tenant's", () => {
    const urls = readSqlUrls({
      OVEN_SQL_URL: "postgres://a/b",
      OVEN_SQL_URL_7: "postgresql://c/d",
      OVEN_SQL_URLS: "x",
    });
    expect([...urls]).toEqual([
      [1, "postgres://a/b"],
      [7, "postgresql://c/d"],
    ]);
    expect(() => readSqlUrls({ OVEN_SQL_URL: "http://a/b" })).toThrow("OVEN_SQL_URL is not a URL of a PostgreSQL");
    expect(readSqlUrls({ OVEN_SQL_URL: "" }).size).toBe(0);
  });
});
