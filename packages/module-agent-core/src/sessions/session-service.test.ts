import type { Principal } from "@oven/contract";
import { migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type MessageRow, SessionService } from "./session-service.ts";

const ADA: Principal = { kind: "user", userId: 7, tenantId: 1, permissions: ["agents.invoke"] };
const RANGE = { first: 0, last: 99 };

describe.each(testDatabases(inject("postgresUrl")))("conversations on $name", ({ open }) => {
  let test: TestDatabase;
  let sessions: SessionService;
  let agentId = 0;

  beforeAll(async () => {
    test = await open();
    const folder = new URL("../../migrations", import.meta.url);
    await migrate(test.db, [{ name: "module-agent-core", folder }]);
    const [agent] = await test.db.query<{ id: number }>(
      "insert into agents (tenant_id, name, slug, settings) values (1, 'Helper', 'helper', '{}') returning id",
    );
    agentId = agent?.id ?? 0;
    sessions = new SessionService(test.db);
  });
  afterAll(() => test.close());

  const none = async () => undefined;
  const user = (content: string) => ({ role: "user" as const, content });
  const must = (row: MessageRow | undefined): MessageRow => {
    if (row === undefined) throw new Error("nothing was said");
    return row;
  };
  const texts = async (id: number, answerOf: (run: number) => Promise<string | null | undefined> = none) =>
    (await sessions.messages(id, answerOf, RANGE)).rows.map(({ content }) => content);

  it("keep what was asked and answered together, whichever answer came first", async () => {
    const session = await sessions.create(ADA, agentId, "Two at once");
    const one = must(await sessions.say(session, [user("one a"), user("one b")], null));
    const two = must(await sessions.say(session, [user("two")], null));
    await sessions.ran(two.id, 502);
    await sessions.ran(one.id, 501);
    await sessions.answered(502, "answer two");
    await sessions.answered(501, "answer one");
    await sessions.answered(501, "never a second one");
    expect(await texts(session.id)).toEqual(["one a", "one b", "answer one", "two", "answer two"]);
  });

  it("hand on what led to a run, and what the request itself said; not what others say meanwhile", async () => {
    const session = await sessions.create(ADA, agentId, null);
    const first = must(await sessions.say(session, [user("first")], null));
    await sessions.ran(first.id, 601);
    await sessions.answered(601, "done");
    await sessions.say(session, [user("waiting for its run")], null);
    const next = must(await sessions.say(session, [user("by the way"), user("next")], null));
    expect(await sessions.before(next, none)).toEqual([
      user("first"),
      { role: "assistant", content: "done" },
      user("by the way"),
    ]);
  });

  it("collect answers of runs that ended unseen, and ask again while a run goes on", async () => {
    const session = await sessions.create(ADA, agentId, null);
    await sessions.ran(must(await sessions.say(session, [user("slow")], null)).id, 701);
    expect(await texts(session.id)).toEqual(["slow"]);
    expect(await texts(session.id, async (run) => (run === 701 ? "late" : null))).toEqual(["slow", "late"]);
  });

  it("take a request with a key once, also from many at the same time, and forget what came to nothing", async () => {
    const session = await sessions.create(ADA, agentId, null);
    const many = await Promise.all(
      Array.from({ length: 10 }, () => sessions.say(session, [user("before"), user("once")], "key-1")),
    );
    const said = many.filter((row) => row !== undefined);
    expect(said).toHaveLength(1);
    expect(await texts(session.id)).toEqual(["before", "once"]);
    await sessions.unsay(said[0]?.id ?? 0);
    expect(await texts(session.id)).toEqual([]);
    expect(await sessions.saidWith(1, "key-1")).toBeUndefined();
  });
});
