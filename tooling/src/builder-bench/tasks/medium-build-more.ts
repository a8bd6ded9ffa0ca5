import { end, flow, forEach, http, junction, listOf, step, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

/** Deduplication, stock, polling. */
export const mediumBuildMore: readonly BenchTask[] = [
  {
    id: "dedup-messages",
    difficulty: "medium",
    say: "Messages come in as `{messageId, title}`, some of them twice. The table seen has a row (message_id, title) for each that was handled. A message that is in it ends with the outcome duplicate and does nothing. A new one is POSTed as {title} to https://chat.example.com/posts, then written into seen; outcome posted.",
    reference: flow(takes({ messageId: "string", title: "string" }), {
      find: step("tables.find", { table: "seen", where: { message_id: "$.trigger.messageId" }, limit: 1 }, [
        when("$.output.count", ">", 0, "duplicate"),
        { target: "post" },
      ]),
      post: http(
        "POST",
        "https://chat.example.com/posts",
        "note",
        { body: { title: "$.trigger.title" } },
        { onError: "failed" },
      ),
      note: step(
        "tables.insert",
        { table: "seen", rows: [{ message_id: "$.trigger.messageId", title: "$.trigger.title" }] },
        "posted",
      ),
      posted: end(undefined, "posted"),
      duplicate: end(undefined, "duplicate"),
      failed,
    }),
    cases: [
      {
        name: "new",
        input: { messageId: "m2", title: "Second" },
        rows: { seen: [{ message_id: "m1", title: "First" }] },
        services: { "POST chat.example.com/posts": { body: {} } },
        expect: {
          outcome: "posted",
          calls: [{ to: "POST chat.example.com/posts", body: { title: "Second" } }],
          rows: { seen: [{ message_id: "m1" }, { message_id: "m2", title: "Second" }] },
        },
      },
      {
        name: "seen",
        input: { messageId: "m1", title: "First" },
        rows: { seen: [{ message_id: "m1", title: "First" }] },
        expect: { outcome: "duplicate", calls: [], rows: { seen: [{ message_id: "m1" }] } },
      },
    ],
  },
  {
    id: "stock-reorder",
    difficulty: "medium",
    say: "A delivery note has a list `items` of {sku, quantity}, the new quantities. Write them into the table stock, by sku. For each item with a quantity below 5 POST {sku} to https://buy.example.com/orders. Answer `{reordered}`, how many that were.",
    reference: flow(
      takes({ items: listOf({ sku: "string", quantity: "number" }) }),
      {
        save: step("tables.upsert", { table: "stock", on: ["sku"], rows: "$.trigger.items" }, "each", {
          onError: "failed",
        }),
        each: forEach(
          "$.trigger.items",
          "low",
          {
            low: junction(when("$.item.quantity", "<", 5, "order"), "enough"),
            order: http(
              "POST",
              "https://buy.example.com/orders",
              [
                {
                  target: "ordered",
                  actions: [{ type: "assign", params: { path: "$.reordered", add: 1 } }],
                },
              ],
              { body: { sku: "$.item.sku" } },
            ),
            ordered: end(),
            enough: end(),
          },
          "done",
          { onError: "failed" },
        ),
        done: end({ reordered: "$.reordered" }),
        failed,
      },
      { context: { reordered: 0 } },
    ),
    cases: [
      {
        name: "one of two is low",
        input: {
          items: [
            { sku: "bun", quantity: 4 },
            { sku: "rye", quantity: 5 },
          ],
        },
        rows: { stock: [{ sku: "rye", quantity: 1 }] },
        services: { "POST buy.example.com/orders": { body: {} } },
        expect: {
          output: { reordered: 1 },
          calls: [{ to: "POST buy.example.com/orders", body: { sku: "bun" } }],
          rows: {
            stock: [
              { sku: "rye", quantity: 5 },
              { sku: "bun", quantity: 4 },
            ],
          },
        },
      },
      {
        name: "all are there",
        input: { items: [{ sku: "bun", quantity: 40 }] },
        expect: { output: { reordered: 0 }, calls: [], rows: { stock: [{ sku: "bun", quantity: 40 }] } },
      },
    ],
  },
  {
    id: "poll-job",
    difficulty: "medium",
    say: "GET https://render.example.com/jobs/JOBID until its `state` is done, waiting a minute between two looks, at most 5 looks. Done: answer `{url}` from the JSON. After five looks without that: outcome timed-out. Input: `jobId`.",
    reference: flow(
      takes({ jobId: "string" }),
      {
        poll: {
          loop: {
            type: "while",
            condition: {
              type: "all",
              guards: [
                { type: "condition", params: { key: "$.state", operator: "!=", value: "done" } },
                { type: "condition", params: { key: "$.looks", operator: "<", value: 5 } },
              ],
            },
            bodyInitial: "first",
            bodyStates: {
              first: junction(when("$.looks", "==", 0, "look"), "pause"),
              pause: step("core.delay", { ms: "PT1M" }, "look"),
              look: http("GET", "https://render.example.com/jobs/{{ $.trigger.jobId }}", [
                {
                  target: "looked",
                  actions: [
                    { type: "assign", params: { path: "$.state", value: "$.output.body.state" } },
                    { type: "assign", params: { path: "$.looks", add: 1 } },
                  ],
                },
              ]),
              looked: end("$.look_output.body"),
            },
            onDone: [when("$.state", "==", "done", "done"), { target: "timedOut" }],
            onError: "failed",
          },
        },
        done: end({ url: "$.look_output.body.url" }),
        timedOut: end(undefined, "timed-out"),
        failed,
      },
      { context: { state: "", looks: 0 } },
    ),
    cases: [
      {
        name: "the third look",
        late: true,
        input: { jobId: "j" },
        services: {
          "GET render.example.com/jobs/j": [
            { body: { state: "queued" } },
            { body: { state: "running" } },
            { body: { state: "done", url: "https://files.example.com/j" } },
          ],
        },
        expect: { calls: Array.from({ length: 3 }, () => ({ to: "GET render.example.com/jobs/j" })) },
      },
      {
        name: "never",
        late: true,
        input: { jobId: "j" },
        services: { "GET render.example.com/jobs/j": { body: { state: "running" } } },
        expect: {
          outcome: "timed-out",
          calls: Array.from({ length: 5 }, () => ({ to: "GET render.example.com/jobs/j" })),
        },
      },
    ],
  },
];
