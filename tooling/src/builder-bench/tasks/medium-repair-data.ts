import { ask, changed, code, end, flow, http, parallel, region, step, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

const tableFlow = flow(takes({ email: "string", name: "string" }), {
  save: step(
    "tables.upsert",
    { table: "contacts", on: ["email"], rows: [{ email: "$.trigger.email", name: "$.trigger.name", status: "new" }] },
    "done",
  ),
  done: end({ inserted: "$.save_output.inserted" }),
});

const statsFlow = flow(takes({ prices: "number[]" }), {
  stats: code(
    "if (prices.length === 0) return { highest: null, mean: null };\nreturn { highest: prices.reduce((one, other) => (one > other ? one : other)), mean: prices.reduce((sum, price) => sum + price, 0) / prices.length };",
    { prices: "$.trigger.prices" },
    "done",
  ),
  done: end("$.stats_output.result"),
});

const triageFlow = flow(takes({ text: "string" }), {
  classify: ask(
    "Is this a complaint, a refund or something else?\n{{ $.trigger.text }}",
    { kind: ["complaint", "refund", "other"] },
    [when("$.output.object.kind", "==", "refund", "refunds"), { target: "inbox" }],
    { onError: "failed" },
  ),
  refunds: http("POST", "https://desk.example.com/queues/refunds", "done", { body: { text: "$.trigger.text" } }),
  inbox: http("POST", "https://desk.example.com/queues/inbox", "done", { body: { text: "$.trigger.text" } }),
  done: end({ kind: "$.classify_output.object.kind" }),
  failed,
});

const paidFlow = flow(takes({ orderId: "string" }), {
  wait: step("core.waitForEvent", { event: "orders.paid", correlation: "$.trigger.orderId", deadline: "P2D" }, "pack", {
    onError: "late",
  }),
  pack: http("POST", "https://ship.example.com/parcels", "packed", { body: { order: "$.trigger.orderId" } }),
  packed: end(undefined, "packed"),
  late: end(undefined, "late"),
});

const profileFlow = flow(takes({ id: "string" }), {
  both: parallel(
    {
      crm: region({
        customer: http("GET", "https://crm.example.com/customers/{{ $.trigger.id }}", "crmDone"),
        crmDone: end({ name: "$.customer_output.body.name" }),
      }),
      billing: region({
        balance: http("GET", "https://billing.example.com/balances/{{ $.trigger.id }}", "billingDone"),
        billingDone: end({ balance: "$.balance_output.body.balance" }),
      }),
    },
    "done",
  ),
  done: end({ name: "$.both_output.crm.name", balance: "$.both_output.billing.balance" }),
});

/** Faults in what comes in and goes out: lists, rows, classes, events, joins. */
export const mediumRepairData: readonly BenchTask[] = [
  {
    id: "repair-known-contact",
    difficulty: "medium",
    say: "Sign-ups of people who are in the table contacts already fail, because their email must be unique. They must get the new name and the status new instead. The answer {inserted} is 1 for new contacts and 0 for known ones. Repair it.",
    repair: {
      published: flow(takes({ email: "string", name: "string" }), {
        save: step(
          "tables.insert",
          { table: "contacts", rows: [{ email: "$.trigger.email", name: "$.trigger.name", status: "new" }] },
          "done",
        ),
        done: end({ inserted: "$.save_output.count" }),
      }),
      run: {
        name: "known",
        input: { email: "ada@example.com", name: "Ada" },
        rows: { contacts: [{ email: "ada@example.com", name: "A." }] },
      },
    },
    reference: tableFlow,
    cases: [
      {
        name: "known",
        input: { email: "ada@example.com", name: "Ada" },
        rows: { contacts: [{ email: "ada@example.com", name: "A.", status: "old" }] },
        expect: {
          output: { inserted: 0 },
          rows: { contacts: [{ email: "ada@example.com", name: "Ada", status: "new" }] },
        },
      },
      {
        name: "new",
        input: { email: "bo@example.com", name: "Bo" },
        expect: {
          output: { inserted: 1 },
          rows: { contacts: [{ email: "bo@example.com", name: "Bo", status: "new" }] },
        },
      },
    ],
  },
  {
    id: "repair-empty-list",
    difficulty: "medium",
    say: "The price statistics fail on days without a price. Then the answer must be {highest: null, mean: null}. Repair the code.",
    repair: {
      published: changed(
        statsFlow,
        ["states", "stats", "invoke", "input", "code"],
        "return { highest: prices.reduce((one, other) => (one > other ? one : other)), mean: prices.reduce((sum, price) => sum + price, 0) / prices.length };",
      ),
      run: { name: "no price", input: { prices: [] } },
    },
    reference: statsFlow,
    cases: [
      { name: "no price", input: { prices: [] }, expect: { output: { highest: null, mean: null } } },
      { name: "three prices", input: { prices: [1, 8, 3] }, expect: { output: { highest: 8, mean: 4 } } },
    ],
  },
  {
    id: "repair-classes",
    difficulty: "medium",
    say: "Refund mails all land in the inbox queue, because the model may not say refund. Mails that it calls refund must go to the queue refunds, all others to inbox, and the answer is {kind}. Repair it.",
    repair: {
      published: changed(
        changed(
          triageFlow,
          ["states", "classify", "invoke", "input", "outputSchema"],
          takes({ kind: ["complaint", "other"] }),
        ),
        ["states", "classify", "invoke", "onDone"],
        [when("$.output.object.kind", "==", "refunds", "refunds"), { target: "inbox" }],
      ),
      run: { name: "a refund", input: { text: "I want my money back" }, facts: { kind: "refund" } },
    },
    reference: triageFlow,
    cases: [
      {
        name: "a refund",
        input: { text: "I want my money back" },
        facts: { kind: "refund" },
        services: { "POST desk.example.com/queues/refunds": { body: {} } },
        expect: { output: { kind: "refund" }, calls: [{ to: "POST desk.example.com/queues/refunds" }] },
      },
      {
        name: "a complaint",
        input: { text: "It is cold" },
        facts: { kind: "complaint" },
        services: { "POST desk.example.com/queues/inbox": { body: {} } },
        expect: { output: { kind: "complaint" }, calls: [{ to: "POST desk.example.com/queues/inbox" }] },
      },
    ],
  },
  {
    id: "repair-event-name",
    difficulty: "medium",
    say: "Paid orders are not packed: the shop sends the event orders.paid with the order id as its correlation, and every run ends late after two days. Repair it so that it is packed when the event comes; without it, it stays as it is.",
    repair: {
      published: changed(paidFlow, ["states", "wait", "invoke", "input", "event"], "order.paid"),
      run: { name: "paid", input: { orderId: "A-7" }, events: [{ event: "orders.paid", correlation: "A-7" }] },
    },
    reference: paidFlow,
    cases: [
      {
        name: "paid",
        input: { orderId: "A-7" },
        events: [{ event: "orders.paid", correlation: "A-7" }],
        services: { "POST ship.example.com/parcels": { body: {} } },
        expect: {
          outcome: "packed",
          calls: [{ to: "POST ship.example.com/parcels", body: { order: "A-7" } }],
          waitsHours: 48,
        },
      },
      { name: "late", input: { orderId: "A-7" }, late: true, expect: { outcome: "late", calls: [] } },
    ],
  },
  {
    id: "repair-join",
    difficulty: "medium",
    say: "The profile workflow asks CRM and billing at the same time. Since billing answers {balance} as a member of its own result, the balance in the answer is a whole object. The answer must be {name, balance} with balance a number. Repair it.",
    repair: {
      published: changed(profileFlow, ["states", "done", "output"], {
        name: "$.both_output.crm.name",
        balance: "$.both_output.billing",
      }),
      run: {
        name: "a profile",
        input: { id: "7" },
        services: {
          "GET crm.example.com/customers/7": { body: { name: "Ada" } },
          "GET billing.example.com/balances/7": { body: { balance: 3 } },
        },
      },
    },
    reference: profileFlow,
    cases: [
      {
        name: "a profile",
        input: { id: "7" },
        services: {
          "GET crm.example.com/customers/7": { body: { name: "Ada" } },
          "GET billing.example.com/balances/7": { body: { balance: 3 } },
        },
        expect: { output: { name: "Ada", balance: 3 } },
      },
    ],
  },
];
