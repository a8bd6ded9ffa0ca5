import { type PersonExport, PersonExportSchema, type PersonHoldings } from "@oven/contract/access";
import { getTableName } from "@oven/db/drizzle";
import { createRuntime } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installedModules } from "./modules.ts";

const ANNA = "anna.lindqvist@example.com";
const BEN = "ben@example.com";
/** Columns that name people, by what the code calls them. */
const NAMES_PEOPLE =
  /^(.*_)?(user_id|email|owner|recipients?|requesters|assignees|principal|actor|runs_as|fired_by|reference_id)$|_by$/;
/** Columns of such a name that name no one. */
const NO_PERSON = [
  // JSON that begins with what started a run; the principal beside it has the number.
  ...["agent_workflow_executions.triggered_by", "workflow_executions.triggered_by"],
  ...["data_container_instances.made_by", "notification_reply_codes.used_by"],
  // Of OAuth's organisations, which are not used.
  ...["oauth_access_tokens", "oauth_refresh_tokens", "oauth_consents", "oauth_clients"].map(
    (table) => `${table}.reference_id`,
  ),
];

const modules = installedModules({ demo: true });
const ends = { initial: "done", states: { done: { type: "final" } } };
const asks = {
  initial: "ask",
  states: { ask: { invoke: { src: "core.requestInput", input: {}, onDone: "done" } }, done: { type: "final" } },
};

describe("one person's data", () => {
  let oven: TestOven;
  let anna: Credentials;
  let ben: Credentials;
  let annaId: number;
  let runId: number;
  /** How much later it is with each look at the clock. */
  let msPerLook = 0;
  beforeAll(async () => {
    const now = Date.now.bind(Date);
    let ahead = 0;
    vi.spyOn(Date, "now").mockImplementation(() => {
      ahead += msPerLook;
      return now() + ahead;
    });
    oven = await startTestOven({ createRuntime, modules });
    anna = await invite(oven, ANNA, ["editor"]);
    ben = await invite(oven, BEN, ["editor"]);
    const idOf = async (email: string) =>
      (await oven.db.query<{ id: number }>("select id from users where email = $1", [email]))[0]?.id ?? 0;
    annaId = await idOf(ANNA);
    await must("POST", "module-configs", {
      moduleName: "module-workflows",
      key: "PERSON_INPUT_PATHS",
      value: ["customer.email"],
      scopeId: null,
    });
    for (const name of ["Orders", "Waits"])
      await must("POST", "workflows", { name, definition: name === "Waits" ? asks : ends });
    for (const email of ["Anna.Lindqvist@example.com", BEN]) {
      const run = await must("POST", "workflows/orders/execute?wait=20", { input: { customer: { email } } });
      if (email !== BEN) runId = run.id;
    }
    const agents = await must("GET", "agents");
    for (const [person, email] of [
      [anna, ANNA],
      [ben, BEN],
    ] as const) {
      const userId = await idOf(email);
      await must("POST", "agent-memory", {
        agentId: agents[0].id,
        userId,
        key: "name",
        content: `writes from ${email}`,
      });
      await oven.db.query("insert into api_keys (reference_id, name, key) values ($1::text, $2, $3)", [
        String(userId),
        `of ${email}`,
        `hash of ${userId}`,
      ]);
      await must("POST", "workflows/orders/execute?wait=20", { input: { note: "mine" } }, person);
      const chat = await must("POST", "chat-sessions", { target: { kind: "agent", id: agents[0].id } }, person);
      await must("POST", `chat-sessions/${chat.id}/messages`, { message: `I am ${email}` }, person);
      await vi.waitFor(async () => {
        const { body } = await oven.call("GET", `chat-sessions/${chat.id}/messages`, undefined, person);
        expect(body.at(-1).status).toBe("completed");
      }, 60_000);
      await oven.db.query(
        "insert into notifications (tenant_id, user_id, rule_key, event_key, kind, subject, text, link) values (1, $1, 'r', $2, 'run.failed', 's', 't', '/')",
        [userId, `e-${email}`],
      );
    }
    const store = await must("POST", "vector-stores", { slug: "papers", name: "Papers" });
    for (const email of [ANNA, BEN])
      await must("POST", `vector-stores/${store.id}/documents`, {
        key: `cv-${email}`,
        title: "CV",
        mediaType: "text/plain",
        text: `The CV of ${email}`,
        metadata: { person: email },
      });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await oven.stop();
  });

  /** @returns the body of an answer that must be a success */
  async function must(
    method: string,
    path: string,
    body?: unknown,
    as: Credentials = { key: TEST },
  ): Promise<TestAnswer["body"]> {
    const answer = await oven.call(method, path, body, as.key === TEST ? {} : as);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  const TEST = "the administrator";
  const exportOf = async (path: string, as: Credentials, body?: unknown): Promise<PersonExport> =>
    PersonExportSchema.parse(await must(body === undefined ? "GET" : "POST", path, body, as));
  const admin: Credentials = { key: TEST };
  /** Where a text stands in the database, in any column of any table. */
  async function placesOf(text: string): Promise<string[]> {
    const tables = await oven.db.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const found = await oven.db.query(`select 1 from ${name} r where r::text ilike $1 limit 1`, [`%${text}%`]);
      if (found.length > 0) places.push(name);
    }
    return places;
  }
  const holdingsOf = (holdings: PersonHoldings[]) => holdings.map(({ table, rows }) => `${table} ${rows}`);

  it("is declared by every module", () => {
    expect(modules.filter(({ personData }) => personData === undefined).map(({ name }) => name)).toEqual([]);
  });

  it("every column that names people is declared, in a holding's table or as a number", async () => {
    const columns = await oven.db.query<{ name: string; table: string }>(
      `select table_name || '.' || column_name as name, table_name as table from information_schema.columns
       where table_schema = 'public' and column_name ~ $1 order by 1`,
      [NAMES_PEOPLE.source],
    );
    const held = new Set(
      modules.flatMap(({ personData }) => personData?.holdings ?? []).map(({ table }) => getTableName(table)),
    );
    const numbers = new Set(modules.flatMap(({ personData }) => personData?.numbers ?? []));
    expect(columns.length).toBeGreaterThan(40);
    const open = columns.filter(
      ({ name, table }) => !held.has(table) && !numbers.has(name) && !NO_PERSON.includes(name),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
    const all = await oven.db.query<{ name: string }>(
      "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
    );
    const known = new Set(all.map(({ name }) => name));
    expect([...numbers].filter((name) => !known.has(name))).toEqual([]);
  });

  it("is exported whole, by an owner and by the person, without secrets and without what is another's", async () => {
    const byOwner = await exportOf("persons/export", admin, { email: ANNA });
    const byAnna = await exportOf("account/personal-data", anna);
    expect(byAnna.subject).toEqual({ userId: annaId, email: ANNA });
    const filled = ({ holdings }: PersonExport) =>
      holdings.filter(({ rows }) => rows.length > 0).map(({ title }) => title);
    expect(filled(byAnna)).toEqual(filled(byOwner));
    expect(filled(byOwner)).toEqual(
      expect.arrayContaining([
        "Account",
        "API keys",
        "Chats of the person",
        "Messages of chats",
        "Memories of agents",
        "Documents about the person",
        "Notifications of the person",
        "Runs of workflows whose input names the person",
        "Runs of workflows that the person started",
        "Audit entries",
      ]),
    );
    const text = JSON.stringify(byOwner);
    expect(text).not.toContain(BEN);
    const [account] = byOwner.holdings.find(({ table }) => table === "accounts")?.rows ?? [];
    expect(Object.keys(account ?? {})).toContain("provider_id");
    expect(Object.keys(account ?? {})).not.toContain("password");
    const [key] = byOwner.holdings.find(({ table }) => table === "api_keys")?.rows ?? [];
    expect(Object.keys(key ?? {})).not.toContain("key");
  });

  it("is others' to see and erase for owners only, and of their tenant only", async () => {
    const boss = await invite(oven, "boss@example.com", ["admin"]);
    for (const as of [anna, boss])
      for (const path of ["persons/find", "persons/export"])
        expect((await oven.call("POST", path, { email: BEN }, as)).status).toBe(403);
    expect((await oven.call("POST", "persons/erase", { email: BEN, confirm: BEN }, boss)).status).toBe(403);
    expect((await oven.call("POST", "persons/find", { userId: 999_999 })).status).toBe(404);
    // A key is not a person.
    expect((await oven.call("GET", "account/personal-data")).status).toBe(404);
    const before = await must("POST", "persons/find", { email: ANNA });
    await oven.db.query("update users set tenant_id = 7 where id = $1", [annaId]);
    expect((await oven.call("POST", "persons/find", { userId: annaId })).status).toBe(404);
    await oven.db.query("update users set tenant_id = 1 where id = $1", [annaId]);
    expect(await must("POST", "persons/find", { email: ANNA })).toEqual(before);
  });

  it("the last owner is not erased, and nothing is without the address typed again", async () => {
    const before = await must("POST", "persons/find", { email: ANNA });
    const wrong = await oven.call("POST", "persons/erase", { email: ANNA, confirm: "anna" });
    expect(wrong).toMatchObject({ status: 422, body: { error: { code: "CONFIRMATION_WRONG" } } });
    expect(await must("POST", "persons/find", { email: ANNA })).toEqual(before);
    const [owner] = await oven.db.query<{ id: number; email: string }>(
      "select u.id, u.email from users u join user_roles r on r.user_id = u.id where r.role = 'owner'",
    );
    const last = await oven.call("POST", "persons/erase", { userId: owner?.id, confirm: owner?.email });
    expect(last).toMatchObject({ status: 409, body: { error: { code: "LAST_OWNER" } } });
  });

  it("erased, is nowhere any more; the audit log is as it was, and others keep theirs", async () => {
    const audit = () => oven.db.query("select * from audit_log where user_id = $1 order by id", [annaId]);
    const audited = await audit();
    expect(audited.length).toBeGreaterThan(2);
    const bens = holdingsOf((await must("POST", "persons/find", { email: BEN })).holdings);
    expect((await placesOf(ANNA)).length).toBeGreaterThan(5);

    // So slow that no setting is remembered from one query to the next.
    msPerLook = 6_000;
    const erased = await must("POST", "persons/erase", { email: ANNA, confirm: ` ${ANNA.toUpperCase()} ` });
    msPerLook = 0;
    expect(holdingsOf(erased.holdings)).toEqual(
      expect.arrayContaining(["users 1", "workflow_executions 1", "agent_memory 1", "chat_turns 1", "ai_documents 1"]),
    );
    expect(await placesOf(ANNA)).toEqual([]);
    expect(await audit()).toEqual(audited);
    expect((await oven.call("GET", `workflow-executions/${runId}`)).status).toBe(404);
    expect((await oven.call("GET", "session", undefined, anna)).status).toBe(401);
    expect(holdingsOf((await must("POST", "persons/find", { email: BEN })).holdings)).toEqual(bens);
    expect((await oven.call("GET", "session", undefined, ben)).status).toBe(200);
    // What has no account is found by the address alone: nothing is left.
    expect(await must("POST", "persons/find", { email: ANNA })).toEqual({ userId: null, email: ANNA, holdings: [] });
  });

  it("runs that have not ended are left and named; erasing again goes on", async () => {
    const carl = "carl@example.com";
    const run = await must("POST", "workflows/waits/execute?wait=20", { input: { customer: { email: carl } } });
    const first = await must("POST", "persons/erase", { email: carl, confirm: carl });
    expect(first.holdings).toEqual([
      expect.objectContaining({ table: "workflow_executions", rows: 0, left: [run.id] }),
    ]);
    await must("POST", `workflow-executions/${run.id}/cancel`, {});
    await expect
      .poll(
        async () => (await oven.call("POST", "persons/erase", { email: carl, confirm: carl })).body.holdings[0]?.rows,
      )
      .toBe(1);
    expect(await placesOf(carl)).toEqual([]);
  });

  it("texts of a review go, its decision stays", async () => {
    const dora = await invite(oven, "dora@example.com", ["editor"]);
    const run = await must("POST", "workflows/waits/execute?wait=20", { input: {} });
    const [review] = (await must("GET", "reviews")).filter(
      (one: { executionId: number }) => one.executionId === run.id,
    );
    await must("POST", `reviews/${review.id}/comments`, { text: "Dora was here" }, dora);
    await must("POST", "persons/erase", { email: "dora@example.com", confirm: "dora@example.com" });
    const comments = await oven.db.query(
      "select text, user_id is not null as numbered from review_comments where review_id = $1",
      [review.id],
    );
    expect(comments).toEqual([{ text: "", numbered: true }]);
  });
});
