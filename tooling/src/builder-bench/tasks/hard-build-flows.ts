import { approved, ask, end, flow, http, junction, review, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");
const order = { orderId: "A-7", amount: 40 };

/** Long flows: undoing, several people, mail that is written twice, days of waiting. */
export const hardBuildFlows: readonly BenchTask[] = [
  {
    id: "fulfil-order",
    difficulty: "hard",
    say: "Fulfil an order (`orderId`, `amount`): GET https://stock.example.com/items/ORDERID; if its `available` is not true the outcome is sold-out. Else POST {orderId, amount} to https://pay.example.com/charges (the answer has an `id`), then POST {orderId} to https://ship.example.com/parcels. If shipping fails, the charge must be given back: POST to https://pay.example.com/charges/CHARGEID/refund, and the run fails. Otherwise answer `{charge, parcel}` with the ids of both answers.",
    reference: flow(takes({ orderId: "string", amount: "number" }), {
      stock: http("GET", "https://stock.example.com/items/{{ $.trigger.orderId }}", [
        when("$.output.body.available", "==", true, "charge"),
        { target: "soldOut" },
      ]),
      charge: {
        ...http("POST", "https://pay.example.com/charges", "ship", {
          body: { orderId: "$.trigger.orderId", amount: "$.trigger.amount" },
        }),
        undo: "refund",
      },
      ship: http("POST", "https://ship.example.com/parcels", "done", { body: { orderId: "$.trigger.orderId" } }),
      refund: http("POST", "https://pay.example.com/charges/{{ $.undo.output.body.id }}/refund", "refunded"),
      refunded: end(),
      done: end({ charge: "$.charge_output.body.id", parcel: "$.ship_output.body.id" }),
      soldOut: end(undefined, "sold-out"),
    }),
    cases: [
      {
        name: "all goes well",
        input: order,
        services: {
          "GET stock.example.com/items/A-7": { body: { available: true } },
          "POST pay.example.com/charges": { body: { id: "c1" } },
          "POST ship.example.com/parcels": { body: { id: "p1" } },
        },
        expect: {
          output: { charge: "c1", parcel: "p1" },
          calls: [
            { to: "GET stock.example.com/items/A-7" },
            { to: "POST pay.example.com/charges", body: order },
            { to: "POST ship.example.com/parcels", body: { orderId: "A-7" } },
          ],
        },
      },
      {
        name: "sold out",
        input: order,
        services: { "GET stock.example.com/items/A-7": { body: { available: false } } },
        expect: { outcome: "sold-out", calls: [{ to: "GET stock.example.com/items/A-7" }] },
      },
      {
        name: "not shipped",
        input: order,
        services: {
          "GET stock.example.com/items/A-7": { body: { available: true } },
          "POST pay.example.com/charges": { body: { id: "c1" } },
          "POST ship.example.com/parcels": { status: 400 },
          "POST pay.example.com/charges/c1/refund": { body: {} },
        },
        expect: {
          status: "failed",
          calls: [
            { to: "GET stock.example.com/items/A-7" },
            { to: "POST pay.example.com/charges" },
            { to: "POST ship.example.com/parcels" },
            { to: "POST pay.example.com/charges/c1/refund" },
          ],
        },
      },
    ],
  },
  {
    id: "two-stage-approval",
    difficulty: "hard",
    say: "Purchases (`item`, `amount`) need an approval by one person; above 10000 after that a second approval, with the title Finance. One rejection ends it: outcome rejected, nothing is ordered. Otherwise POST {item, amount} to https://buy.example.com/orders, outcome ordered.",
    reference: flow(takes({ item: "string", amount: "number" }), {
      lead: review("$.trigger", approved("limit", "rejected"), { title: "Buy this?" }),
      limit: junction(when("$.trigger.amount", ">", 10_000, "finance"), "order"),
      finance: review("$.trigger", approved("order", "rejected"), { title: "Finance" }),
      order: http("POST", "https://buy.example.com/orders", "ordered", {
        body: { item: "$.trigger.item", amount: "$.trigger.amount" },
      }),
      ordered: end(undefined, "ordered"),
      rejected: end(undefined, "rejected"),
    }),
    cases: [
      {
        name: "small",
        input: { item: "Mixer", amount: 10_000 },
        decisions: [{ action: "approve" }],
        services: { "POST buy.example.com/orders": { body: {} } },
        expect: {
          outcome: "ordered",
          asked: 1,
          calls: [{ to: "POST buy.example.com/orders", body: { item: "Mixer", amount: 10_000 } }],
        },
      },
      {
        name: "large",
        input: { item: "Oven", amount: 10_001 },
        decisions: [{ action: "approve" }, { action: "approve" }],
        services: { "POST buy.example.com/orders": { body: {} } },
        expect: { outcome: "ordered", asked: 2, shown: ["Finance"], calls: [{ to: "POST buy.example.com/orders" }] },
      },
      {
        name: "large, finance says no",
        input: { item: "Oven", amount: 20_000 },
        decisions: [{ action: "approve" }, { action: "reject" }],
        expect: { outcome: "rejected", asked: 2, calls: [] },
      },
      {
        name: "large, the first says no",
        input: { item: "Oven", amount: 20_000 },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", asked: 1, calls: [] },
      },
    ],
  },
  {
    id: "support-answer",
    difficulty: "hard",
    say: "Answer support mails (`from`, `text`). A model finds the order number (`order`); look it up with GET https://shop.example.com/orders/ORDER. A model drafts an answer from the mail and that order. A person approves, edits or rejects it. Approved or edited: POST {to, text} with what they let through to https://mail.example.com/send, outcome sent. Rejected: the model drafts once more, knowing the reason, and the person is asked again; a second rejection ends with the outcome handed-over. An order that the shop does not have ends with the outcome no-order.",
    reference: flow(
      takes({ from: "string", text: "string" }),
      {
        find: ask("Which order number is named here?\n{{ $.trigger.text }}", { order: "string" }, "look", {
          onError: "failed",
        }),
        look: http(
          "GET",
          "https://shop.example.com/orders/{{ $.find_output.object.order }}",
          "draft",
          {},
          { onError: "noOrder" },
        ),
        draft: ask(
          "Write an answer.\nMail: {{ $.trigger.text }}\nOrder: {{ $.look_output.body | json }}\nA first draft was rejected because: {{ $.reason }}",
          { answer: "string" },
          "review",
          { onError: "failed" },
        ),
        review: review(
          "$.draft_output.object.answer",
          [
            when("$.output.action", "!=", "reject", "send"),
            {
              ...when("$.tries", "<", 1, "draft"),
              actions: [
                { type: "assign", params: { path: "$.tries", add: 1 } },
                { type: "assign", params: { path: "$.reason", value: "$.output.reason" } },
              ],
            },
            { ...when("$.output.action", "==", "reject", "handedOver") },
            { target: "handedOver" },
          ],
          { title: "Send this answer?", context: "$.trigger.text" },
        ),
        send: http("POST", "https://mail.example.com/send", "sent", {
          body: { to: "$.trigger.from", text: "$.review_output.data" },
        }),
        sent: end(undefined, "sent"),
        handedOver: end(undefined, "handed-over"),
        noOrder: end(undefined, "no-order"),
        failed,
      },
      { context: { tries: 0, reason: "" } },
    ),
    cases: [
      {
        name: "approved at once",
        input: { from: "ada@example.com", text: "Where is order 8841?" },
        facts: { order: "8841", answer: "It is on its way.", text: "It is on its way." },
        services: {
          "GET shop.example.com/orders/8841": { body: { state: "sent" } },
          "POST mail.example.com/send": { body: {} },
        },
        decisions: [{ action: "approve" }],
        expect: {
          outcome: "sent",
          asked: 1,
          shown: ["It is on its way."],
          calls: [
            { to: "GET shop.example.com/orders/8841" },
            { to: "POST mail.example.com/send", body: { to: "ada@example.com" }, says: ["It is on its way."] },
          ],
        },
      },
      {
        name: "rejected, then approved",
        input: { from: "ada@example.com", text: "Where is order 8841?" },
        facts: { order: "8841", answer: "No idea.", text: "No idea." },
        factsWhere: { "Be kinder": { answer: "We are looking.", text: "We are looking." } },
        services: {
          "GET shop.example.com/orders/8841": { body: { state: "sent" } },
          "POST mail.example.com/send": { body: {} },
        },
        decisions: [{ action: "reject", reason: "Be kinder" }, { action: "approve" }],
        expect: {
          outcome: "sent",
          asked: 2,
          shown: ["No idea.", "We are looking."],
          calls: [
            { to: "GET shop.example.com/orders/8841" },
            { to: "POST mail.example.com/send", says: ["We are looking."] },
          ],
        },
      },
      {
        name: "rejected twice",
        input: { from: "ada@example.com", text: "Where is order 8841?" },
        facts: { order: "8841", answer: "No idea.", text: "No idea." },
        services: { "GET shop.example.com/orders/8841": { body: { state: "sent" } } },
        decisions: [{ action: "reject" }, { action: "reject" }],
        expect: { outcome: "handed-over", asked: 2, calls: [{ to: "GET shop.example.com/orders/8841" }] },
      },
      {
        name: "no such order",
        input: { from: "ada@example.com", text: "Where is order 1?" },
        facts: { order: "1" },
        expect: { outcome: "no-order", asked: 0, calls: [{ to: "GET shop.example.com/orders/1" }] },
      },
    ],
  },
];
