import {
  cel,
  code,
  end,
  flow,
  forEach,
  http,
  junction,
  parallel,
  region,
  review,
  step,
  takes,
  when,
  whenCel,
} from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

/** Lists, tables, services and time. */
export const mediumBuildData: readonly BenchTask[] = [
  {
    id: "approve-expense",
    difficulty: "medium",
    say: "Expenses come in as `{person, amount, reason}`. Up to 500 they are booked at once; above 500 a person must approve them first, seeing amount and reason. Booking is a row in the table expenses (person, amount, status booked). Outcomes: booked, or rejected, where nothing is written.",
    reference: flow(takes({ person: "string", amount: "number", reason: "string" }), {
      limit: junction(when("$.trigger.amount", ">", 500, "review"), "book"),
      review: review("$.trigger", [when("$.output.action", "!=", "reject", "book"), { target: "rejected" }], {
        title: "Book this expense?",
      }),
      book: step(
        "tables.insert",
        { table: "expenses", rows: [{ person: "$.trigger.person", amount: "$.trigger.amount", status: "booked" }] },
        "booked",
      ),
      booked: end(undefined, "booked"),
      rejected: end(undefined, "rejected"),
    }),
    cases: [
      {
        name: "at the limit",
        input: { person: "Ada", amount: 500, reason: "Train" },
        expect: { outcome: "booked", asked: 0, rows: { expenses: [{ person: "Ada", amount: 500, status: "booked" }] } },
      },
      {
        name: "above, approved",
        input: { person: "Ada", amount: 501, reason: "Train to Rome" },
        decisions: [{ action: "approve" }],
        expect: {
          outcome: "booked",
          asked: 1,
          shown: ["501", "Train to Rome"],
          rows: { expenses: [{ person: "Ada", amount: 501, status: "booked" }] },
        },
      },
      {
        name: "above, rejected",
        input: { person: "Ada", amount: 9000, reason: "Car" },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", asked: 1, rows: { expenses: [] } },
      },
    ],
  },
  {
    id: "rates-with-retry",
    difficulty: "medium",
    say: 'GET https://rates.example.com/today. The service is often busy (503): try up to three times in all, a few seconds apart. With an answer end with `{rate}` from its JSON. If it still fails, POST {service: "rates"} to https://ops.example.com/alerts and end with the outcome unavailable.',
    reference: flow(takes({}), {
      rates: http(
        "GET",
        "https://rates.example.com/today",
        "done",
        {},
        { retry: { maxAttempts: 3, backoff: "fixed", initialMs: 2000 }, onError: "alert" },
      ),
      alert: http("POST", "https://ops.example.com/alerts", "unavailable", { body: { service: "rates" } }),
      done: end({ rate: "$.rates_output.body.rate" }),
      unavailable: end(undefined, "unavailable"),
    }),
    cases: [
      {
        name: "the third time",
        late: true,
        input: {},
        services: {
          "GET rates.example.com/today": [{ status: 503 }, { status: 503 }, { body: { rate: 1.1 } }],
        },
        expect: {
          output: { rate: 1.1 },
          calls: Array.from({ length: 3 }, () => ({ to: "GET rates.example.com/today" })),
        },
      },
      {
        name: "never",
        late: true,
        input: {},
        services: { "GET rates.example.com/today": { status: 503 }, "POST ops.example.com/alerts": { body: {} } },
        expect: {
          outcome: "unavailable",
          calls: [
            ...Array.from({ length: 3 }, () => ({ to: "GET rates.example.com/today" })),
            { to: "POST ops.example.com/alerts", body: { service: "rates" } },
          ],
        },
      },
    ],
  },
  {
    id: "parallel-lookups",
    difficulty: "medium",
    say: "For a customer `id` ask two services at the same time: GET https://crm.example.com/customers/ID (has `name`) and GET https://billing.example.com/balances/ID (has `balance`). Answer `{name, balance}` when both are there. If one of them fails the run fails.",
    reference: flow(takes({ id: "string" }), {
      both: parallel(
        {
          crm: region({
            customer: http("GET", "https://crm.example.com/customers/{{ $.trigger.id }}", "crmDone"),
            crmDone: end("$.customer_output.body.name"),
          }),
          billing: region({
            balance: http("GET", "https://billing.example.com/balances/{{ $.trigger.id }}", "billingDone"),
            billingDone: end("$.balance_output.body.balance"),
          }),
        },
        "done",
        { onError: "failed" },
      ),
      done: end({ name: "$.both_output.crm", balance: "$.both_output.billing" }),
      failed,
    }),
    cases: [
      {
        name: "both",
        input: { id: "7" },
        services: {
          "GET crm.example.com/customers/7": { body: { name: "Ada" } },
          "GET billing.example.com/balances/7": { body: { balance: -3 } },
        },
        expect: {
          output: { name: "Ada", balance: -3 },
          calls: [{ to: "GET crm.example.com/customers/7" }, { to: "GET billing.example.com/balances/7" }],
        },
      },
      {
        name: "one is missing",
        input: { id: "8" },
        services: { "GET crm.example.com/customers/8": { body: { name: "Bo" } } },
        expect: { status: "failed" },
      },
    ],
  },
  {
    id: "ship-orders",
    difficulty: "medium",
    say: "For each id in the list `orders` POST {order: the id} to https://ship.example.com/parcels, one after the other. One that fails must not stop the rest. Answer `{sent, failed}` with the two counts.",
    reference: flow(takes({ orders: "string[]" }), {
      each: forEach(
        "$.trigger.orders",
        "ship",
        {
          ship: http("POST", "https://ship.example.com/parcels", "shipped", { body: { order: "$.item" } }),
          shipped: end("$.item"),
        },
        "done",
        { continueOnError: true },
      ),
      done: end({ sent: cel("ctx.each_output.count - ctx.each_output.failed"), failed: "$.each_output.failed" }),
    }),
    cases: [
      {
        name: "the second of three fails",
        input: { orders: ["a", "b", "c"] },
        services: { "POST ship.example.com/parcels": [{ body: {} }, { status: 400 }, { body: {} }] },
        expect: {
          output: { sent: 2, failed: 1 },
          calls: ["a", "b", "c"].map((order) => ({ to: "POST ship.example.com/parcels", body: { order } })),
        },
      },
      { name: "none", input: { orders: [] }, expect: { output: { sent: 0, failed: 0 }, calls: [] } },
    ],
  },
  {
    id: "limited-loop",
    difficulty: "medium",
    say: "For each email in the list `recipients` POST {to: the email} to https://mail.example.com/send. With more than 10 recipients nothing at all is sent and the run ends with the outcome too-many; otherwise the outcome is sent.",
    reference: flow(takes({ recipients: "string[]" }), {
      count: junction(whenCel("trigger.recipients.size() > 10", "tooMany"), "each"),
      each: forEach(
        "$.trigger.recipients",
        "send",
        { send: http("POST", "https://mail.example.com/send", "ok", { body: { to: "$.item" } }), ok: end() },
        "sent",
        { maxIterations: 10 },
      ),
      sent: end(undefined, "sent"),
      tooMany: end(undefined, "too-many"),
    }),
    cases: [
      {
        name: "ten",
        input: { recipients: Array.from({ length: 10 }, (_one, at) => `${at}@example.com`) },
        services: { "POST mail.example.com/send": { body: {} } },
        expect: {
          outcome: "sent",
          calls: Array.from({ length: 10 }, (_one, at) => ({
            to: "POST mail.example.com/send",
            body: { to: `${at}@example.com` },
          })),
        },
      },
      {
        name: "eleven",
        input: { recipients: Array.from({ length: 11 }, (_one, at) => `${at}@example.com`) },
        expect: { outcome: "too-many", calls: [] },
      },
    ],
  },
  {
    id: "invoice-deadline",
    difficulty: "medium",
    say: "Wait for the event invoice.paid (its correlation is the `invoiceId` of the input) for at most 14 days. Paid: outcome paid. If it is not paid in time, POST {invoiceId} to https://mail.example.com/reminders and end with the outcome late.",
    reference: flow(takes({ invoiceId: "string" }), {
      wait: step(
        "core.waitForEvent",
        { event: "invoice.paid", correlation: "$.trigger.invoiceId", deadline: "P14D" },
        "paid",
        { onError: "remind" },
      ),
      remind: http("POST", "https://mail.example.com/reminders", "late", {
        body: { invoiceId: "$.trigger.invoiceId" },
      }),
      paid: end(undefined, "paid"),
      late: end(undefined, "late"),
    }),
    cases: [
      {
        name: "paid",
        input: { invoiceId: "I-1" },
        events: [{ event: "invoice.paid", correlation: "I-1" }],
        expect: { outcome: "paid", calls: [], waitsHours: 14 * 24 },
      },
      {
        name: "late",
        input: { invoiceId: "I-1" },
        late: true,
        services: { "POST mail.example.com/reminders": { body: {} } },
        expect: { outcome: "late", calls: [{ to: "POST mail.example.com/reminders", body: { invoiceId: "I-1" } }] },
      },
    ],
  },
  {
    id: "call-notify",
    difficulty: "medium",
    say: "When an order is `shipped: true`, our agent workflow notify-customer is to be run with the customer's `email` as recipient and the text “Order ORDERID is on its way”. Then answer `{notified: true}`. Orders that are not shipped answer `{notified: false}`. Input: `orderId`, `email`, `shipped`.",
    reference: flow(takes({ orderId: "string", email: "string", shipped: "boolean" }), {
      branch: junction(when("$.trigger.shipped", "==", true, "notify"), "not"),
      notify: step(
        "core.callWorkflow",
        {
          workflow: "notify-customer",
          kind: "agent-workflow",
          input: { recipient: "$.trigger.email", text: "Order {{ $.trigger.orderId }} is on its way" },
        },
        "done",
      ),
      done: end({ notified: true }),
      not: end({ notified: false }),
    }),
    cases: [
      {
        name: "shipped",
        input: { orderId: "A-7", email: "ada@example.com", shipped: true },
        services: { "POST mail.example.com/send": { body: {} } },
        expect: {
          output: { notified: true },
          calls: [
            { to: "POST mail.example.com/send", body: { to: "ada@example.com", text: "Order A-7 is on its way" } },
          ],
        },
      },
      {
        name: "not shipped",
        input: { orderId: "A-7", email: "ada@example.com", shipped: false },
        expect: { output: { notified: false }, calls: [] },
      },
    ],
  },
  {
    id: "csv-contacts",
    difficulty: "medium",
    say: "A CSV text comes in as `csv`: a first line email,name, then one contact a line. Write all contacts into the table contacts (an email that is there already gets the new name) and answer `{count}`. Empty lines are left out; with no contacts the count is 0.",
    reference: flow(takes({ csv: "string" }), {
      parse: code(
        'const lines = csv.split("\\n").slice(1).map((line) => line.trim()).filter((line) => line !== "");\nreturn lines.map((line) => { const [email, name] = line.split(","); return { email: email.trim(), name: (name ?? "").trim() }; });',
        { csv: "$.trigger.csv" },
        [whenCel("output.result.size() > 0", "save"), { target: "none" }],
        { onError: "failed" },
      ),
      save: step("tables.upsert", { table: "contacts", on: ["email"], rows: "$.parse_output.result" }, "done"),
      done: end({ count: "$.save_output.count" }),
      none: end({ count: 0 }),
      failed,
    }),
    cases: [
      {
        name: "two, one of them known",
        input: { csv: "email,name\nada@example.com,Ada\n\nbo@example.com, Bo\n" },
        rows: { contacts: [{ email: "bo@example.com", name: "Old" }] },
        expect: {
          output: { count: 2 },
          rows: {
            contacts: [
              { email: "ada@example.com", name: "Ada" },
              { email: "bo@example.com", name: "Bo" },
            ],
          },
        },
      },
      { name: "none", input: { csv: "email,name\n" }, expect: { output: { count: 0 }, rows: { contacts: [] } } },
    ],
  },
];
