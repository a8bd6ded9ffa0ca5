import { approved, ask, code, end, flow, forEach, http, review, step, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");
const complaint = { from: "ada@example.com", subject: "My order", text: "It has not arrived!" };

/** Mails and texts: models with structured answers, reviews, services. */
export const mediumBuildMail: readonly BenchTask[] = [
  {
    id: "mail-triage",
    difficulty: "medium",
    say: "A support mail comes in (`from`, `subject`, `text`). A model classifies it as complaint, question or other and writes a short summary. A complaint goes to a person, who sees the summary; when they reject it the run ends with the outcome rejected and no ticket. Approved complaints and all other mails become a ticket: POST {from, kind, summary} to https://desk.example.com/tickets. Then end with `{kind, ticket}`, ticket being the id in the answer.",
    reference: flow(takes({ from: "string", subject: "string", text: "string" }), {
      classify: ask(
        "Classify this mail and sum it up.\n{{ $.trigger.subject }}\n{{ $.trigger.text }}",
        { kind: ["complaint", "question", "other"], summary: "string" },
        [when("$.output.object.kind", "==", "complaint", "review"), { target: "ticket" }],
        { onError: "failed" },
      ),
      review: review("$.classify_output.object.summary", approved("ticket", "rejected"), {
        title: "Make a ticket of this complaint?",
        context: "$.trigger",
      }),
      ticket: http(
        "POST",
        "https://desk.example.com/tickets",
        "done",
        {
          body: {
            from: "$.trigger.from",
            kind: "$.classify_output.object.kind",
            summary: "$.classify_output.object.summary",
          },
        },
        { onError: "failed" },
      ),
      done: end({ kind: "$.classify_output.object.kind", ticket: "$.ticket_output.body.id" }),
      rejected: end(undefined, "rejected"),
      failed,
    }),
    cases: [
      {
        name: "an approved complaint",
        input: complaint,
        facts: { kind: "complaint", summary: "Order did not arrive." },
        decisions: [{ action: "approve" }],
        services: { "POST desk.example.com/tickets": { status: 201, body: { id: "T-1" } } },
        expect: {
          output: { kind: "complaint", ticket: "T-1" },
          asked: 1,
          shown: ["Order did not arrive."],
          calls: [
            {
              to: "POST desk.example.com/tickets",
              body: { from: "ada@example.com", kind: "complaint", summary: "Order did not arrive." },
            },
          ],
        },
      },
      {
        name: "a rejected complaint",
        input: complaint,
        facts: { kind: "complaint", summary: "Order did not arrive." },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", asked: 1, calls: [] },
      },
      {
        name: "a question",
        input: complaint,
        facts: { kind: "question", summary: "Asks for hours." },
        services: { "POST desk.example.com/tickets": { status: 201, body: { id: "T-2" } } },
        expect: {
          output: { kind: "question", ticket: "T-2" },
          asked: 0,
          calls: [{ to: "POST desk.example.com/tickets", body: { kind: "question" } }],
        },
      },
    ],
  },
  {
    id: "extract-invoice",
    difficulty: "medium",
    say: "From the `text` of an invoice let a model extract vendor, total (a number) and currency. If the total is 0 or less, ask a person for it with a form that has the one number field `total`. Then POST {vendor, total, currency} to https://books.example.com/invoices and answer `{vendor, total}`.",
    reference: flow(
      takes({ text: "string" }),
      {
        extract: ask(
          "Extract vendor, total and currency. The total is 0 where there is none.\n{{ $.trigger.text }}",
          { vendor: "string", total: "number", currency: "string" },
          [
            {
              target: "post",
              guard: { type: "condition", params: { key: "$.output.object.total", operator: ">", value: 0 } },
              actions: [{ type: "assign", params: { path: "$.total", value: "$.output.object.total" } }],
            },
            { target: "form" },
          ],
          { onError: "failed" },
        ),
        form: step(
          "core.requestInput",
          { title: "What is the total?", schema: takes({ total: "number" }), context: "$.extract_output.object" },
          [
            {
              target: "post",
              actions: [{ type: "assign", params: { path: "$.total", value: "$.output.data.total" } }],
            },
          ],
        ),
        post: http(
          "POST",
          "https://books.example.com/invoices",
          "done",
          {
            body: {
              vendor: "$.extract_output.object.vendor",
              total: "$.total",
              currency: "$.extract_output.object.currency",
            },
          },
          { onError: "failed" },
        ),
        done: end({ vendor: "$.extract_output.object.vendor", total: "$.total" }),
        failed,
      },
      { context: { total: 0 } },
    ),
    cases: [
      {
        name: "all is there",
        input: { text: "Invoice of Acme: 120 EUR" },
        facts: { vendor: "Acme", total: 120, currency: "EUR" },
        services: { "POST books.example.com/invoices": { body: {} } },
        expect: {
          output: { vendor: "Acme", total: 120 },
          asked: 0,
          calls: [{ to: "POST books.example.com/invoices", body: { vendor: "Acme", total: 120, currency: "EUR" } }],
        },
      },
      {
        name: "no total",
        input: { text: "Invoice of Acme" },
        facts: { vendor: "Acme", total: 0, currency: "EUR" },
        decisions: [{ action: "submit", data: { total: 99 } }],
        services: { "POST books.example.com/invoices": { body: {} } },
        expect: {
          output: { vendor: "Acme", total: 99 },
          asked: 1,
          calls: [{ to: "POST books.example.com/invoices", body: { vendor: "Acme", total: 99 } }],
        },
      },
    ],
  },
  {
    id: "count-negative",
    difficulty: "medium",
    say: "For each text of the list `comments` a model says whether it is positive or negative. Count the negative ones. If there are two or more, POST {negative: the count} to https://alerts.example.com/mood. Answer `{negative}` in any case.",
    reference: flow(
      takes({ comments: "string[]" }),
      {
        each: forEach(
          "$.trigger.comments",
          "judge",
          {
            judge: ask("Is this positive or negative?\n{{ $.item }}", { mood: ["positive", "negative"] }, [
              {
                ...when("$.output.object.mood", "==", "negative", "judged"),
                actions: [{ type: "assign", params: { path: "$.negative", add: 1 } }],
              },
              { target: "judged" },
            ]),
            judged: end(),
          },
          [when("$.negative", ">=", 2, "alert"), { target: "done" }],
          { onError: "failed" },
        ),
        alert: http(
          "POST",
          "https://alerts.example.com/mood",
          "done",
          { body: { negative: "$.negative" } },
          { onError: "failed" },
        ),
        done: end({ negative: "$.negative" }),
        failed,
      },
      { context: { negative: 0 } },
    ),
    cases: [
      {
        name: "two of three",
        input: { comments: ["GOOD bread", "dry cake", "cold soup"] },
        facts: { mood: "negative" },
        factsWhere: { "GOOD bread": { mood: "positive" } },
        services: { "POST alerts.example.com/mood": { body: {} } },
        expect: { output: { negative: 2 }, calls: [{ to: "POST alerts.example.com/mood", body: { negative: 2 } }] },
      },
      {
        name: "one of two",
        input: { comments: ["GOOD bread", "dry cake"] },
        facts: { mood: "negative" },
        factsWhere: { "GOOD bread": { mood: "positive" } },
        expect: { output: { negative: 1 }, calls: [] },
      },
      { name: "none", input: { comments: [] }, expect: { output: { negative: 0 }, calls: [] } },
    ],
  },
  {
    id: "route-language",
    difficulty: "medium",
    say: "Route chats by `language`: de to the queue berlin, fr to the queue paris, everything else to the queue london. POST {text} to https://desk.example.com/queues/QUEUE, and answer `{queue}`.",
    reference: flow(takes({ text: "string", language: "string" }), {
      pick: code(
        'return { de: "berlin", fr: "paris" }[language] ?? "london";',
        { language: "$.trigger.language" },
        "post",
      ),
      post: http("POST", "https://desk.example.com/queues/{{ $.pick_output.result }}", "done", {
        body: { text: "$.trigger.text" },
      }),
      done: end({ queue: "$.pick_output.result" }),
    }),
    cases: (
      [
        ["de", "berlin"],
        ["fr", "paris"],
        ["pt", "london"],
      ] as const
    ).map(([language, queue]) => ({
      name: language,
      input: { text: "Hello", language },
      services: { [`POST desk.example.com/queues/${queue}`]: { body: {} } },
      expect: { output: { queue }, calls: [{ to: `POST desk.example.com/queues/${queue}`, body: { text: "Hello" } }] },
    })),
  },
  {
    id: "escalate-review",
    difficulty: "medium",
    say: "A refund request (`orderId`, `amount`) must be approved by a person within one day. Approved: POST {orderId, amount} to https://pay.example.com/refunds, outcome refunded. Rejected: outcome rejected. Without a decision in that day: POST {orderId} to https://pager.example.com/calls and end with the outcome escalated.",
    reference: flow(takes({ orderId: "string", amount: "number" }), {
      review: review(
        "$.trigger",
        [when("$.output.action", "!=", "reject", "refund"), { target: "rejected" }],
        { title: "Refund?", dueIn: "P1D" },
        { onError: [when("$.review_error.code", "==", "REVIEW_EXPIRED", "page"), { target: "failed" }] },
      ),
      refund: http("POST", "https://pay.example.com/refunds", "refunded", {
        body: { orderId: "$.trigger.orderId", amount: "$.trigger.amount" },
      }),
      page: http("POST", "https://pager.example.com/calls", "escalated", { body: { orderId: "$.trigger.orderId" } }),
      refunded: end(undefined, "refunded"),
      rejected: end(undefined, "rejected"),
      escalated: end(undefined, "escalated"),
      failed,
    }),
    cases: [
      {
        name: "approved",
        input: { orderId: "A-7", amount: 20 },
        decisions: [{ action: "approve" }],
        services: { "POST pay.example.com/refunds": { body: {} } },
        expect: {
          outcome: "refunded",
          calls: [{ to: "POST pay.example.com/refunds", body: { orderId: "A-7", amount: 20 } }],
        },
      },
      {
        name: "rejected",
        input: { orderId: "A-7", amount: 20 },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", calls: [] },
      },
      {
        name: "no decision",
        input: { orderId: "A-7", amount: 20 },
        late: true,
        services: { "POST pager.example.com/calls": { body: {} } },
        expect: { outcome: "escalated", calls: [{ to: "POST pager.example.com/calls", body: { orderId: "A-7" } }] },
      },
    ],
  },
];
