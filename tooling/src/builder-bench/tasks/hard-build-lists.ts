import {
  approved,
  ask,
  code,
  end,
  flow,
  forEach,
  http,
  junction,
  listOf,
  review,
  step,
  takes,
  when,
  whenCel,
} from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

/** Lists with people, models, tables and pages. */
export const hardBuildLists: readonly BenchTask[] = [
  {
    id: "batch-refunds",
    difficulty: "hard",
    say: "A list `refunds` of {orderId, amount}. Each above 100 must be approved by a person before it is paid, the others are paid at once. Paying is POST {orderId, amount} to https://pay.example.com/refunds. A rejected refund is not paid and does not stop the others. Answer `{paid, rejected}`, the two counts.",
    reference: flow(
      takes({ refunds: listOf({ orderId: "string", amount: "number" }) }),
      {
        each: forEach(
          "$.trigger.refunds",
          "limit",
          {
            limit: junction(when("$.item.amount", ">", 100, "review"), "pay"),
            review: review(
              "$.item",
              [
                when("$.output.action", "!=", "reject", "pay"),
                { target: "refused", actions: [{ type: "assign", params: { path: "$.rejected", add: 1 } }] },
              ],
              { title: "Pay this back?" },
            ),
            pay: http(
              "POST",
              "https://pay.example.com/refunds",
              [{ target: "settled", actions: [{ type: "assign", params: { path: "$.paid", add: 1 } }] }],
              { body: { orderId: "$.item.orderId", amount: "$.item.amount" } },
            ),
            settled: end("paid"),
            refused: end("rejected"),
          },
          "done",
        ),
        done: end({ paid: "$.paid", rejected: "$.rejected" }),
      },
      { context: { paid: 0, rejected: 0 } },
    ),
    cases: [
      {
        name: "three, one rejected",
        input: {
          refunds: [
            { orderId: "a", amount: 100 },
            { orderId: "b", amount: 101 },
            { orderId: "c", amount: 300 },
          ],
        },
        services: { "POST pay.example.com/refunds": { body: {} } },
        decisions: [{ action: "reject" }, { action: "approve" }],
        expect: {
          output: { paid: 2, rejected: 1 },
          asked: 2,
          calls: [
            { to: "POST pay.example.com/refunds", body: { orderId: "a", amount: 100 } },
            { to: "POST pay.example.com/refunds", body: { orderId: "c", amount: 300 } },
          ],
        },
      },
      {
        name: "all small",
        input: { refunds: [{ orderId: "a", amount: 1 }] },
        services: { "POST pay.example.com/refunds": { body: {} } },
        expect: { output: { paid: 1, rejected: 0 }, asked: 0 },
      },
    ],
  },
  {
    id: "price-watch",
    difficulty: "hard",
    say: "For each `sku` of the list `skus` GET https://shop.example.com/prices/SKU ({price}), several at a time. Compare with the price in our table stock: where it differs, or the sku is not there yet, write the new price. If any changed, POST {changed: how many, skus: the changed ones in the order of the input} to https://alerts.example.com/prices. Answer `{changed}`.",
    reference: flow(takes({ skus: "string[]" }), {
      each: forEach(
        "$.trigger.skus",
        "price",
        {
          price: http("GET", "https://shop.example.com/prices/{{ $.item }}", "known"),
          known: step("tables.find", { table: "stock", where: { sku: "$.item" }, limit: 1 }, [
            whenCel("output.count > 0 && output.rows[0].values.price == ctx.price_output.body.price", "same"),
            { target: "save" },
          ]),
          save: step(
            "tables.upsert",
            { table: "stock", on: ["sku"], rows: [{ sku: "$.item", price: "$.price_output.body.price" }] },
            "other",
          ),
          same: end({ changed: false }),
          other: end({ changed: true, sku: "$.item" }),
        },
        "count",
        { concurrency: 4, onError: "failed" },
      ),
      count: code(
        "const changed = items.map(({ output }) => output).filter((one) => one.changed).map(({ sku }) => sku);\nreturn { count: changed.length, skus: changed };",
        { items: "$.each_output.items" },
        [when("$.output.result.count", ">", 0, "alert"), { target: "done" }],
      ),
      alert: http("POST", "https://alerts.example.com/prices", "done", {
        body: { changed: "$.count_output.result.count", skus: "$.count_output.result.skus" },
      }),
      done: end({ changed: "$.count_output.result.count" }),
      failed,
    }),
    cases: [
      {
        name: "one new, one changed, one the same",
        input: { skus: ["rye", "bun", "oat"] },
        rows: {
          stock: [
            { sku: "rye", price: 3 },
            { sku: "bun", price: 1 },
          ],
        },
        services: {
          "GET shop.example.com/prices/rye": { body: { price: 4 } },
          "GET shop.example.com/prices/bun": { body: { price: 1 } },
          "GET shop.example.com/prices/oat": { body: { price: 2 } },
          "POST alerts.example.com/prices": { body: {} },
        },
        expect: {
          output: { changed: 2 },
          calls: [
            ...["rye", "bun", "oat"].map((sku) => ({ to: `GET shop.example.com/prices/${sku}` })),
            { to: "POST alerts.example.com/prices", body: { changed: 2, skus: ["rye", "oat"] } },
          ],
          rows: {
            stock: [
              { sku: "rye", price: 4 },
              { sku: "bun", price: 1 },
              { sku: "oat", price: 2 },
            ],
          },
        },
      },
      {
        name: "nothing changed",
        input: { skus: ["bun"] },
        rows: { stock: [{ sku: "bun", price: 1 }] },
        services: { "GET shop.example.com/prices/bun": { body: { price: 1 } } },
        expect: { output: { changed: 0 }, calls: [{ to: "GET shop.example.com/prices/bun" }] },
      },
    ],
  },
  {
    id: "match-invoices",
    difficulty: "hard",
    say: "The `text` of an invoice comes in. A model extracts number (of the purchase order, empty where there is none) and total. Without a number, ask a person for it with a form that has the one field `number`. Find the purchase order in the table purchase-orders by number; none: outcome unknown-order. If the total is at most 2 percent off the order's total, POST {number, total} to https://pay.example.com/invoices, outcome paid. Otherwise a person decides: approved it is paid as well, rejected the outcome is disputed.",
    reference: flow(
      takes({ text: "string" }),
      {
        extract: ask(
          "Extract the purchase order's number and the total.\n{{ $.trigger.text }}",
          { number: "string", total: "number" },
          [
            when("$.output.object.number", "==", "", "form"),
            {
              target: "find",
              actions: [{ type: "assign", params: { path: "$.number", value: "$.output.object.number" } }],
            },
          ],
        ),
        form: step(
          "core.requestInput",
          { title: "Which purchase order?", schema: takes({ number: "string" }), context: "$.trigger.text" },
          [
            {
              target: "find",
              actions: [{ type: "assign", params: { path: "$.number", value: "$.output.data.number" } }],
            },
          ],
        ),
        find: step("tables.find", { table: "purchase-orders", where: { number: "$.number" }, limit: 1 }, [
          when("$.output.count", "==", 0, "unknown"),
          whenCel(
            "ctx.extract_output.object.total <= output.rows[0].values.total * 1.02 && ctx.extract_output.object.total >= output.rows[0].values.total * 0.98",
            "pay",
          ),
          { target: "review" },
        ]),
        review: review(
          { number: "$.number", total: "$.extract_output.object.total", ordered: "$.find_output.rows[0].values.total" },
          approved("pay", "disputed"),
          { title: "Pay although it differs?" },
        ),
        pay: http("POST", "https://pay.example.com/invoices", "paid", {
          body: { number: "$.number", total: "$.extract_output.object.total" },
        }),
        paid: end(undefined, "paid"),
        disputed: end(undefined, "disputed"),
        unknown: end(undefined, "unknown-order"),
      },
      { context: { number: "" } },
    ),
    cases: [
      {
        name: "close enough",
        input: { text: "Invoice for PO 7" },
        facts: { number: "7", total: 102 },
        rows: { "purchase-orders": [{ number: "7", vendor: "Acme", total: 100 }] },
        services: { "POST pay.example.com/invoices": { body: {} } },
        expect: {
          outcome: "paid",
          asked: 0,
          calls: [{ to: "POST pay.example.com/invoices", body: { number: "7", total: 102 } }],
        },
      },
      {
        name: "too much, approved",
        input: { text: "Invoice for PO 7" },
        facts: { number: "7", total: 120 },
        rows: { "purchase-orders": [{ number: "7", vendor: "Acme", total: 100 }] },
        decisions: [{ action: "approve" }],
        services: { "POST pay.example.com/invoices": { body: {} } },
        expect: { outcome: "paid", asked: 1, shown: ["120"], calls: [{ to: "POST pay.example.com/invoices" }] },
      },
      {
        name: "too little, rejected",
        input: { text: "Invoice for PO 7" },
        facts: { number: "7", total: 50 },
        rows: { "purchase-orders": [{ number: "7", vendor: "Acme", total: 100 }] },
        decisions: [{ action: "reject" }],
        expect: { outcome: "disputed", asked: 1, calls: [] },
      },
      {
        name: "no number, and none that we know",
        input: { text: "Invoice" },
        facts: { number: "", total: 50 },
        decisions: [{ action: "submit", data: { number: "8" } }],
        expect: { outcome: "unknown-order", asked: 1, calls: [] },
      },
    ],
  },
];
