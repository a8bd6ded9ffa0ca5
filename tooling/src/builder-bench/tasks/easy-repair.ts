import {
  approved,
  changed,
  end,
  flow,
  forEach,
  http,
  junction,
  review,
  takes,
  transform,
  when,
} from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");
const lead = { email: "ada@example.com", name: "Ada" };

const leadFlow = flow(takes({ email: "string", name: "string", "note?": "string" }), {
  shape: transform({ mail: "$.trigger.email", note: '{{ $.trigger.note | default("none") }}' }, "post"),
  post: http("POST", "https://crm.example.com/leads", "done", {
    body: { email: "$.shape_output.mail", name: "$.trigger.name", note: "$.shape_output.note" },
  }),
  done: end({ id: "$.post_output.body.id" }),
});

const customerFlow = flow(takes({ email: "string" }), {
  look: http(
    "GET",
    "https://crm.example.com/customers",
    [when("$.output.status", "==", 404, "fresh"), { target: "known" }],
    { query: { email: "$.trigger.email" }, expectedStatus: [200, 404] },
  ),
  known: end({ customer: "$.look_output.body.id" }, "known"),
  fresh: end(undefined, "new"),
});

const expenseFlow = flow(takes({ amount: "number" }), {
  limit: junction(when("$.trigger.amount", ">", 500, "review"), "book"),
  review: review("$.trigger.amount", approved("book", "rejected"), { title: "Book it?" }),
  book: http("POST", "https://books.example.com/expenses", "booked", { body: { amount: "$.trigger.amount" } }),
  booked: end(undefined, "booked"),
  rejected: end(undefined, "rejected"),
});

const closeFlow = flow(takes({ id: "string" }), {
  close: http("PATCH", "https://desk.example.com/tickets/{{ $.trigger.id }}", "closed", { body: { state: "closed" } }),
  closed: end(undefined, "closed"),
});

const parcelFlow = flow(takes({ orders: "string[]" }), {
  each: forEach(
    "$.trigger.orders",
    "ship",
    { ship: http("POST", "https://ship.example.com/parcels", "ok", { body: { order: "$.item" } }), ok: end() },
    "done",
    { maxIterations: 50, onError: "failed" },
  ),
  done: end({ count: "$.each_output.count" }),
  failed,
});

const greetFlow = flow(takes({ name: "string", language: "string" }), {
  pick: junction(when("$.trigger.language", "==", "de", "german"), "english"),
  german: end({ text: "Hallo {{ $.trigger.name }}" }),
  english: end({ text: "Hello {{ $.trigger.name }}" }),
});

/** One fault, at the place where the run fails. */
export const easyRepair: readonly BenchTask[] = [
  {
    id: "repair-missing-note",
    difficulty: "easy",
    say: "Leads without a note fail in the step that shapes them. The note is optional: without one the CRM gets the note “none”. Repair it.",
    repair: {
      published: changed(leadFlow, ["states", "shape", "invoke", "input", "mapping", "note"], "$.trigger.note"),
      run: { name: "without a note", input: lead },
    },
    reference: leadFlow,
    cases: [
      {
        name: "without a note",
        input: lead,
        services: { "POST crm.example.com/leads": { body: { id: 1 } } },
        expect: { output: { id: 1 }, calls: [{ to: "POST crm.example.com/leads", body: { ...lead, note: "none" } }] },
      },
      {
        name: "with a note",
        input: { ...lead, note: "Call me" },
        services: { "POST crm.example.com/leads": { body: { id: 2 } } },
        expect: { output: { id: 2 }, calls: [{ to: "POST crm.example.com/leads", body: { note: "Call me" } }] },
      },
    ],
  },
  {
    id: "repair-unknown-customer",
    difficulty: "easy",
    say: "The customer lookup fails whenever the CRM answers 404. That only means that the customer is new: such a run must end with the outcome new. Other errors may go on to fail. Repair it.",
    repair: {
      published: changed(customerFlow, ["states", "look", "invoke", "input", "expectedStatus"], undefined),
      run: { name: "a new customer", input: { email: "ada@example.com" } },
    },
    reference: customerFlow,
    cases: [
      {
        name: "a new customer",
        input: { email: "ada@example.com" },
        services: { "GET crm.example.com/customers": { status: 404 } },
        expect: { outcome: "new" },
      },
      {
        name: "a known customer",
        input: { email: "ada@example.com" },
        services: { "GET crm.example.com/customers": { body: { id: 5 } } },
        expect: { outcome: "known", output: { customer: 5 } },
      },
      {
        name: "another error",
        input: { email: "ada@example.com" },
        services: { "GET crm.example.com/customers": { status: 403 } },
        expect: { status: "failed" },
      },
    ],
  },
  {
    id: "repair-approval-limit",
    difficulty: "easy",
    say: "Expenses above 500 must be approved by a person, smaller ones not. Now it is the other way round: I am asked about every small one, and large ones are booked without me. Repair it.",
    repair: {
      published: changed(
        expenseFlow,
        ["states", "limit", "always"],
        [when("$.trigger.amount", "<", 500, "review"), { target: "book" }],
      ),
      run: { name: "a large one", input: { amount: 900 } },
    },
    reference: expenseFlow,
    cases: [
      {
        name: "a large one",
        input: { amount: 900 },
        decisions: [{ action: "approve" }],
        services: { "POST books.example.com/expenses": { body: {} } },
        expect: {
          outcome: "booked",
          asked: 1,
          calls: [{ to: "POST books.example.com/expenses", body: { amount: 900 } }],
        },
      },
      {
        name: "a small one",
        input: { amount: 20 },
        services: { "POST books.example.com/expenses": { body: {} } },
        expect: { outcome: "booked", asked: 0 },
      },
      {
        name: "a rejected one",
        input: { amount: 900 },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", calls: [] },
      },
    ],
  },
  {
    id: "repair-method",
    difficulty: "easy",
    say: 'Closing tickets fails with the status 405: the desk wants a PATCH with {state: "closed"} to https://desk.example.com/tickets/ID. Repair the step.',
    repair: {
      published: changed(closeFlow, ["states", "close", "invoke", "input", "method"], "PUT"),
      run: { name: "a ticket", input: { id: "9" } },
    },
    reference: closeFlow,
    cases: [
      {
        name: "a ticket",
        input: { id: "9" },
        services: {
          "PATCH desk.example.com/tickets/9": { body: {} },
          "PUT desk.example.com/tickets/9": { status: 405 },
        },
        expect: { outcome: "closed", calls: [{ to: "PATCH desk.example.com/tickets/9", body: { state: "closed" } }] },
      },
    ],
  },
  {
    id: "repair-loop-limit",
    difficulty: "easy",
    say: "Shipping breaks with LOOP_LIMIT on days with more than three orders. Up to 50 orders a run must be possible. Repair it.",
    repair: {
      published: changed(parcelFlow, ["states", "each", "loop", "maxIterations"], 3),
      run: { name: "five orders", input: { orders: ["a", "b", "c", "d", "e"] } },
    },
    reference: parcelFlow,
    cases: [
      {
        name: "five orders",
        input: { orders: ["a", "b", "c", "d", "e"] },
        services: { "POST ship.example.com/parcels": { body: {} } },
        expect: {
          output: { count: 5 },
          calls: ["a", "b", "c", "d", "e"].map((order) => ({ to: "POST ship.example.com/parcels", body: { order } })),
        },
      },
      { name: "none", input: { orders: [] }, expect: { output: { count: 0 } } },
    ],
  },
  {
    id: "repair-language",
    difficulty: "easy",
    say: "German customers (language de) get the English greeting. They must get “Hallo NAME”. Repair it.",
    repair: {
      published: changed(
        greetFlow,
        ["states", "pick", "always"],
        [when("$.trigger.language", "==", "DE", "german"), { target: "english" }],
      ),
      run: { name: "a German", input: { name: "Ada", language: "de" } },
    },
    reference: greetFlow,
    cases: [
      { name: "a German", input: { name: "Ada", language: "de" }, expect: { output: { text: "Hallo Ada" } } },
      { name: "another one", input: { name: "Ada", language: "fr" }, expect: { output: { text: "Hello Ada" } } },
    ],
  },
];
