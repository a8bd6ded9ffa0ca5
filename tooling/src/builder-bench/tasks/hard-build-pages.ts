import {
  ask,
  cel,
  end,
  flow,
  forEach,
  http,
  junction,
  listOf,
  step,
  takes,
  when,
  whenCel,
} from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

/** Pages of a service, and articles that were seen. */
export const hardBuildPages: readonly BenchTask[] = [
  {
    id: "paged-import",
    difficulty: "hard",
    say: "Import contacts: GET https://crm.example.com/contacts?page=1 answers {items: [{email, name}], next}. Go on with the page that `next` names until it is null, at most 20 pages. Write all items into the table contacts (known emails get the new name). Answer `{pages, count}`.",
    reference: flow(
      takes({}),
      {
        pages: {
          loop: {
            type: "while",
            condition: { type: "condition", params: { key: "$.page", operator: "!=", value: null } },
            maxIterations: 20,
            onLimit: "continue",
            bodyInitial: "fetch",
            bodyStates: {
              fetch: http(
                "GET",
                "https://crm.example.com/contacts",
                [whenCel("output.body.items.size() > 0", "save"), { target: "turn" }],
                {
                  query: { page: "$.page" },
                },
              ),
              save: step("tables.upsert", { table: "contacts", on: ["email"], rows: "$.fetch_output.body.items" }, [
                { target: "turn", actions: [{ type: "assign", params: { path: "$.count", add: "$.output.count" } }] },
              ]),
              turn: junction({
                target: "turned",
                actions: [
                  { type: "assign", params: { path: "$.page", value: "$.fetch_output.body.next" } },
                  { type: "assign", params: { path: "$.read", add: 1 } },
                ],
              }),
              turned: end(),
            },
            onDone: "done",
            onError: "failed",
          },
        },
        done: end({ pages: "$.read", count: "$.count" }),
        failed,
      },
      { context: { page: 1, read: 0, count: 0 } },
    ),
    cases: [
      {
        name: "three pages",
        input: {},
        services: {
          "GET crm.example.com/contacts?page=1": { body: { items: [{ email: "a@example.com", name: "A" }], next: 2 } },
          "GET crm.example.com/contacts?page=2": {
            body: {
              items: [
                { email: "b@example.com", name: "B" },
                { email: "c@example.com", name: "C" },
              ],
              next: 3,
            },
          },
          "GET crm.example.com/contacts?page=3": { body: { items: [], next: null } },
        },
        expect: {
          output: { pages: 3, count: 3 },
          calls: [1, 2, 3].map((page) => ({ to: `GET crm.example.com/contacts?page=${page}` })),
          rows: { contacts: ["a", "b", "c"].map((one) => ({ email: `${one}@example.com` })) },
        },
      },
      {
        name: "no end",
        input: {},
        services: {
          "GET crm.example.com/contacts": { body: { items: [{ email: "a@example.com", name: "A" }], next: 9 } },
        },
        expect: {
          output: { pages: 20 },
          calls: Array.from({ length: 20 }, (_one, at) => ({
            to: `GET crm.example.com/contacts?page=${at === 0 ? 1 : 9}`,
          })),
        },
      },
    ],
  },
  {
    id: "news-digest",
    difficulty: "hard",
    say: "A list `articles` of {id, text}. Those whose id is in the table seen (column message_id) are left out. Each of the others a model sums up in one line; write (message_id, summary) into seen. At the end POST {lines: the summaries in order} once to https://chat.example.com/digest and answer `{fresh}`, their number. If all were seen, nothing is posted and the outcome is nothing-new.",
    reference: flow(
      takes({ articles: listOf({ id: "string", text: "string" }) }),
      {
        each: forEach(
          "$.trigger.articles",
          "known",
          {
            known: step("tables.find", { table: "seen", where: { message_id: "$.item.id" }, limit: 1 }, [
              when("$.output.count", ">", 0, "old"),
              { target: "sum" },
            ]),
            sum: ask("Sum up in one line:\n{{ $.item.text }}", { summary: "string" }, "note"),
            note: step(
              "tables.insert",
              { table: "seen", rows: [{ message_id: "$.item.id", summary: "$.sum_output.object.summary" }] },
              [
                {
                  target: "fresh",
                  actions: [{ type: "assign", params: { path: "$.lines", append: "$.sum_output.object.summary" } }],
                },
              ],
            ),
            old: end(),
            fresh: end(),
          },
          [whenCel("ctx.lines.size() > 0", "post"), { target: "nothing" }],
          { onError: "failed" },
        ),
        post: http(
          "POST",
          "https://chat.example.com/digest",
          "done",
          { body: { lines: "$.lines" } },
          { onError: "failed" },
        ),
        done: end({ fresh: cel("ctx.lines.size()") }),
        nothing: end(undefined, "nothing-new"),
        failed,
      },
      { context: { lines: [] } },
    ),
    cases: [
      {
        name: "two of three are new",
        input: {
          articles: [
            { id: "1", text: "Rye is UP" },
            { id: "2", text: "Old news" },
            { id: "3", text: "Oats are DOWN" },
          ],
        },
        rows: { seen: [{ message_id: "2" }] },
        factsWhere: { "Rye is UP": { summary: "Rye up." }, "Oats are DOWN": { summary: "Oats down." } },
        services: { "POST chat.example.com/digest": { body: {} } },
        expect: {
          output: { fresh: 2 },
          calls: [{ to: "POST chat.example.com/digest", body: { lines: ["Rye up.", "Oats down."] } }],
          rows: {
            seen: [
              { message_id: "2" },
              { message_id: "1", summary: "Rye up." },
              { message_id: "3", summary: "Oats down." },
            ],
          },
        },
      },
      {
        name: "all were seen",
        input: { articles: [{ id: "2", text: "Old news" }] },
        rows: { seen: [{ message_id: "2" }] },
        expect: { outcome: "nothing-new", calls: [] },
      },
    ],
  },
];
