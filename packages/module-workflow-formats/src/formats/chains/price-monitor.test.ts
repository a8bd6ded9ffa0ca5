import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@oven/contract";
import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { isObject } from "@oven/engine";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { type AskedModel, json } from "../../shared/testing/scripted-model.ts";
import { type ChainStory, call, startChains } from "./testing/chain-story.ts";
import { PRICE_MONITOR } from "./testing/price-monitor.ts";

const ROLE = `price_reader_${process.pid}`;
/** A Monday, before nine. */
const clock = { now: new Date("2026-11-23T08:30:00Z") };
const PRODUCTS = ["iPhone 15 Pro", "Galaxy S24"];
const SHOPS = ["Amazon", "Walmart"];
const WANTED = PRODUCTS.flatMap((product) => SHOPS.map((competitor) => ({ product, competitor })));

let story: ChainStory;
let search: Server;
let server: { url: string; drop: () => Promise<void> };
let admin: Database;
/** What shops ask today. */
const prices: Record<string, number> = {};
const searched: string[] = [];

beforeAll(async () => {
  server = await createTestPostgres(inject("postgresUrl"), { migrated: false });
  admin = await connectDatabase({ url: server.url, dataDir: "" });
  await admin.query("create table price_history (product text, competitor text, price float8, seen_at timestamptz)");
  await admin.query(`create role ${ROLE} login password 'only-for-this-test'`);
  await admin.query(`grant select on price_history to ${ROLE}`);
  const url = new URL(server.url);
  Object.assign(url, { username: ROLE, password: "only-for-this-test" });
  vi.stubEnv("OVEN_SQL_URL", url.toString());
  search = createServer((request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams.get("q") ?? "";
    searched.push(query);
    const results = [
      { title: query, url: `https://example.com/${searched.length}`, content: `now ${prices[query]} USD` },
    ];
    response.setHeader("content-type", "application/json").end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => search.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(search.address() as AddressInfo).port}`; // cast: it listens on TCP
  story = await startChains({ triggers: { clock: async () => new Date(clock.now) }, outboundAllow: [origin] });
  const config = { moduleName: "module-workflow-formats", key: "SEARCH_URL", value: origin };
  expect((await story.oven.call("POST", "module-configs", config)).status).toBe(201);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await story.oven.stop();
  search.close();
  await admin.query(`drop owned by ${ROLE}`);
  await admin.query(`drop role ${ROLE}`);
  await admin.close();
  await server.drop();
});

/** What tools answered, in order, without the marks around what comes from outside. */
function toolAnswers({ body }: AskedModel): Json[] {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }; // cast: the wire's own shape
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content) as Json) // cast: JSON.parse gives JSON
    .map((answer) => (isObject(answer) && "untrusted" in answer ? (answer.content ?? null) : answer));
}

/** A model that does what its prompts say, out of what its tools answer. */
function answerDay(status = "sent"): void {
  const done = "Previous executor outputs:\n";
  const outputs = (asked: AskedModel) => JSON.parse(asked.user.split(done)[1]?.split("\n\nNow execute")[0] ?? "{}");
  const found = (asked: AskedModel) =>
    (toolAnswers(asked) as { results: { content: string; url: string }[] }[]).flatMap(({ results }) => results); // cast: of search_web
  const fetch: ModelReply = {
    toolCalls: WANTED.map(({ product, competitor }, at) => ({
      id: `s${at}`,
      name: "search_web",
      arguments: { query: `${competitor} ${product} price` },
    })),
  };
  const compared = (asked: AskedModel) => {
    const [{ rows }] = toolAnswers(asked) as [{ rows: { product: string; price: number }[] }]; // cast: of query_db
    const { prices: now } = outputs(asked).fetch_prices as { prices: { product: string; price: number }[] };
    const alerts = rows.flatMap(({ product, price }) => {
      const cheapest = Math.min(...now.filter((one) => one.product === product).map((one) => one.price));
      const change = ((cheapest - price) / price) * 100;
      return Math.abs(change) > 10 ? [{ product, old_price: price, new_price: cheapest, change_percent: change }] : [];
    });
    return json({ alerts, summary: `${alerts.length} alerts` });
  };
  const send = (asked: AskedModel): ModelReply => {
    const { alerts, summary } = outputs(asked).compare_prices as { alerts: object[]; summary: string };
    const file = {
      path: "price_alerts.txt",
      content: alerts.length === 0 ? "No price alerts today" : JSON.stringify(alerts),
    };
    return {
      toolCalls: [
        ...(alerts.length === 0 ? [] : [{ id: "m", name: "send_message", arguments: { text: summary } }]),
        { id: "f", name: "write_file", arguments: file },
      ],
    };
  };
  story.answers.push(
    fetch,
    (asked) =>
      json({
        prices: WANTED.map((wanted, at) => ({
          ...wanted,
          price: Number(/now ([\d.]+)/.exec(found(asked)[at]?.content ?? "")?.[1]),
          url: found(asked)[at]?.url,
        })),
      }),
    call("query_db", {
      sql: "select distinct on (product) product, price from price_history where product = any($1::text[]) order by product, seen_at desc",
      params: [`{${PRODUCTS.map((product) => `"${product}"`).join(",")}}`],
    }),
    compared,
    send,
    json({ status, message_count: status === "sent" ? 1 : 0, file_saved: true }),
  );
}

function setPrices(iphone: number, galaxy: number): void {
  for (const shop of SHOPS) {
    prices[`${shop} iPhone 15 Pro price`] = iphone;
    prices[`${shop} Galaxy S24 price`] = galaxy;
  }
}

async function day(): Promise<string> {
  const before = await story.client.listRuns("daily_price_monitor");
  for (let hour = 0; hour < 24; hour += 1) {
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    await story.services.triggers.tick();
  }
  const after = await story.client.listRuns("daily_price_monitor");
  return after.length > before.length ? (after[0]?.run_id ?? "") : "";
}

it("the daily price monitor is pasted as printed, fires on weekdays at nine, and does what it says [001-037] [001-038] [001-039] [001-040] [001-041] [001-042] [001-043] [001-044]", async () => {
  const chain = await story.client.import(PRICE_MONITOR);
  expect(chain).toMatchObject({ slug: "daily_price_monitor", notify_on_complete: true, notify_on_failure: true });
  expect(chain.executors.map(({ executor_id, model, tools }) => [executor_id, model, tools])).toEqual([
    ["fetch_prices", "gpt-4o-mini", ["search_web"]],
    ["compare_prices", "gpt-4o", ["query_db"]],
    ["send_alerts", "gpt-4o-mini", ["send_message", "write_file"]],
  ]);
  expect(chain.next_run_time).toBe("2026-11-23T09:00:00.000Z");
  await admin.query(
    `insert into price_history values ('iPhone 15 Pro', 'Amazon', 500, '2026-11-01'), ('iPhone 15 Pro', 'Amazon', 1000, '2026-11-20'), ('Galaxy S24', 'Amazon', 800, '2026-11-20')`,
  );

  // Monday: the iPhone is 11 % cheaper, the Galaxy 9 % dearer.
  setPrices(890, 872);
  answerDay();
  const monday = await story.settle(await day());
  expect(monday, monday.error_message ?? "").toMatchObject({
    status: "completed",
    result: { status: "sent", message_count: 1, file_saved: true },
  });
  expect(searched.toSorted()).toEqual(
    WANTED.map(({ product, competitor }) => `${competitor} ${product} price`).toSorted(),
  );
  const calls = await story.client.listToolCalls(monday.run_id);
  expect(calls.map(({ tool_name }) => tool_name)).toEqual([
    ...Array(4).fill("search_web"),
    "query_db",
    "send_message",
    "write_file",
  ]);
  const [, compare] = await story.client.listExecutorRuns(monday.run_id);
  expect(compare?.structured_output).toEqual({
    alerts: [{ product: "iPhone 15 Pro", old_price: 1000, new_price: 890, change_percent: -11 }],
    summary: "1 alerts",
  });
  const sent = () =>
    story.oven.db.query<{ payload: { text: string } }>(
      "select payload from outbox_events where name = 'formats.message.sent' order by id",
    );
  expect((await sent()).map(({ payload }) => payload.text)).toEqual(["1 alerts"]);
  const fileOf = async (run: string) => {
    const written = (await story.client.listToolCalls(run)).find(
      ({ tool_name }) => tool_name === "write_file",
    )?.tool_output;
    return (await story.oven.fetch(`blobs/${(written as { blob_id: number }).blob_id}`)).text(); // cast: of write_file
  };
  expect(JSON.parse(await fileOf(monday.run_id))).toMatchObject([{ product: "iPhone 15 Pro" }]);

  // Tuesday: nothing above ten per cent. Wednesday: the sender says that it failed; Thursday its search does.
  setPrices(1090, 800);
  answerDay("no_alerts");
  const tuesday = await story.settle(await day());
  expect(tuesday).toMatchObject({ status: "completed", result: { status: "no_alerts" } });
  expect(await fileOf(tuesday.run_id)).toBe("No price alerts today");
  expect(await sent()).toHaveLength(1);
  answerDay("failed");
  expect(await story.settle(await day())).toMatchObject({ status: "completed", result: { status: "failed" } });
  story.answers.push({ status: 400, message: "no model today" });
  expect(await story.settle(await day())).toMatchObject({ status: "failed" });
  answerDay();
  expect(await story.settle(await day())).toMatchObject({ status: "completed" });
  expect([await day(), await day()], "at the week-end").toEqual(["", ""]);
  expect(await story.client.get("daily_price_monitor")).toMatchObject({
    total_runs: 5,
    failed_runs: 1,
    next_run_time: "2026-11-30T09:00:00.000Z",
  });
  const told = async () =>
    (await story.oven.call("GET", "notifications", undefined, { key: story.key })).body as { subject: string }[];
  await expect.poll(async () => (await told()).length).toBe(5);
});
