import {
  approved,
  ask,
  code,
  end,
  flow,
  http,
  junction,
  listOf,
  review,
  step,
  takes,
  when,
} from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");
const mail = { from: "ada@example.com", subject: "My order", text: "It is broken, I want my money back." };

export const easyBuild: readonly BenchTask[] = [
  {
    id: "greeting",
    difficulty: "easy",
    say: "It gets a `name` and answers `{greeting}`: Hello, the name, and an exclamation mark, such as “Hello Ada!”. No model.",
    reference: flow(takes({ name: "string" }), { done: end({ greeting: "Hello {{ $.trigger.name }}!" }) }),
    cases: [
      { name: "Ada", input: { name: "Ada" }, expect: { output: { greeting: "Hello Ada!" } } },
      {
        name: "with a space",
        input: { name: "Grace Hopper" },
        expect: { output: { greeting: "Hello Grace Hopper!" } },
      },
    ],
  },
  {
    id: "summarise",
    difficulty: "easy",
    say: "Let a model summarise the `text` that comes in, in one sentence, and answer it as `{summary}`.",
    reference: flow(takes({ text: "string" }), {
      summarise: step("agent.llm", { prompt: "Summarise in one sentence:\n{{ $.trigger.text }}" }, "done", {
        onError: "failed",
      }),
      done: end({ summary: "$.summarise_output.text" }),
      failed,
    }),
    cases: [
      {
        name: "a text",
        input: { text: "A long text about ovens." },
        facts: { summary: "Ovens are hot." },
        expect: { output: { summary: "Ovens are hot." }, calls: [] },
      },
      {
        name: "the text reaches the model",
        input: { text: "A text about MERCURY." },
        facts: { summary: "Something." },
        factsWhere: { MERCURY: { summary: "A planet." } },
        expect: { output: { summary: "A planet." } },
      },
    ],
  },
  {
    id: "classify-mail",
    difficulty: "easy",
    say: "Classify a mail (`from`, `subject`, `text`) with a model as complaint, question or other. Answer `{kind}` with exactly one of these words.",
    reference: flow(takes({ from: "string", subject: "string", text: "string" }), {
      classify: ask(
        "What kind of mail is this?\n{{ $.trigger.subject }}\n{{ $.trigger.text }}",
        { kind: ["complaint", "question", "other"] },
        "done",
        { onError: "failed" },
      ),
      done: end({ kind: "$.classify_output.object.kind" }),
      failed,
    }),
    cases: [
      { name: "a complaint", input: mail, facts: { kind: "complaint" }, expect: { output: { kind: "complaint" } } },
      { name: "a question", input: mail, facts: { kind: "question" }, expect: { output: { kind: "question" } } },
    ],
  },
  {
    id: "fetch-order",
    difficulty: "easy",
    say: "Given an `orderId`, fetch https://shop.example.com/orders/ORDERID and answer `{status, total}` from the JSON it sends. If the shop does not answer, the run fails.",
    reference: flow(takes({ orderId: "string" }), {
      fetch: http("GET", "https://shop.example.com/orders/{{ $.trigger.orderId }}", "done", {}, { onError: "failed" }),
      done: end({ status: "$.fetch_output.body.status", total: "$.fetch_output.body.total" }),
      failed,
    }),
    cases: [
      {
        name: "an order",
        input: { orderId: "A-7" },
        services: { "GET shop.example.com/orders/A-7": { body: { status: "sent", total: 12.5, other: 1 } } },
        expect: { output: { status: "sent", total: 12.5 }, calls: [{ to: "GET shop.example.com/orders/A-7" }] },
      },
      { name: "no such order", input: { orderId: "A-8" }, expect: { status: "failed" } },
    ],
  },
  {
    id: "post-lead",
    difficulty: "easy",
    say: "A new lead comes in as `{email, name}`. POST it as JSON to https://crm.example.com/leads with our key from the secret crm-key as a bearer token in the Authorization header, and answer the `id` that the CRM gives as `{leadId}`.",
    reference: flow(takes({ email: "string", name: "string" }), {
      post: http(
        "POST",
        "https://crm.example.com/leads",
        "done",
        {
          headers: { Authorization: { $secret: "crm-key", prefix: "Bearer " } },
          body: { email: "$.trigger.email", name: "$.trigger.name" },
        },
        { onError: "failed" },
      ),
      done: end({ leadId: "$.post_output.body.id" }),
      failed,
    }),
    cases: [
      {
        name: "a lead",
        input: { email: "ada@example.com", name: "Ada" },
        services: { "POST crm.example.com/leads": { status: 201, body: { id: 71 } } },
        expect: {
          output: { leadId: 71 },
          calls: [
            {
              to: "POST crm.example.com/leads",
              body: { email: "ada@example.com", name: "Ada" },
              headers: { authorization: "Bearer bench-secret-5d1f0c77a9e24b86" },
            },
          ],
        },
      },
    ],
  },
  {
    id: "threshold",
    difficulty: "easy",
    say: "An order comes in with a number `total`. Above 100 the run ends with the outcome big, otherwise with the outcome small. 100 itself is small.",
    reference: flow(takes({ total: "number" }), {
      size: junction(when("$.trigger.total", ">", 100, "big"), "small"),
      big: end(undefined, "big"),
      small: end(undefined, "small"),
    }),
    cases: [
      { name: "above", input: { total: 100.01 }, expect: { outcome: "big" } },
      { name: "at the limit", input: { total: 100 }, expect: { outcome: "small" } },
      { name: "below", input: { total: 3 }, expect: { outcome: "small" } },
    ],
  },
  {
    id: "review-post",
    difficulty: "easy",
    say: "Before a `text` goes to our blog a person must see and approve it. Approved: POST {text} to https://cms.example.com/posts and end with the outcome published. They may edit it; then the edited text is sent. Rejected: nothing is sent, outcome rejected.",
    reference: flow(takes({ text: "string" }), {
      review: review("$.trigger.text", approved("post", "rejected"), { title: "Publish this text?" }),
      post: http("POST", "https://cms.example.com/posts", "published", { body: { text: "$.review_output.data" } }),
      published: end(undefined, "published"),
      rejected: end(undefined, "rejected"),
    }),
    cases: [
      {
        name: "approved",
        input: { text: "Fresh bread" },
        services: { "POST cms.example.com/posts": { body: {} } },
        decisions: [{ action: "approve" }],
        expect: {
          outcome: "published",
          asked: 1,
          shown: ["Fresh bread"],
          calls: [{ to: "POST cms.example.com/posts", says: ["Fresh bread"] }],
        },
      },
      {
        name: "rejected",
        input: { text: "Stale bread" },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", asked: 1, calls: [] },
      },
    ],
  },
  {
    id: "insert-contact",
    difficulty: "easy",
    say: "Write each newsletter sign-up (`email`, `name`) as a row into our table contacts, with the status new, and answer `{saved: true}`.",
    reference: flow(takes({ email: "string", name: "string" }), {
      insert: step(
        "tables.insert",
        {
          table: "contacts",
          rows: [{ email: "$.trigger.email", name: "$.trigger.name", status: "new" }],
        },
        "done",
      ),
      done: end({ saved: true }),
    }),
    cases: [
      {
        name: "a sign-up",
        input: { email: "ada@example.com", name: "Ada" },
        expect: {
          output: { saved: true },
          rows: { contacts: [{ email: "ada@example.com", name: "Ada", status: "new" }] },
        },
      },
    ],
  },
  {
    id: "find-contact",
    difficulty: "easy",
    say: "Look up an `email` in the table contacts. Answer `{found: true, name}`, or `{found: false}` where there is no such contact.",
    reference: flow(takes({ email: "string" }), {
      find: step("tables.find", { table: "contacts", where: { email: "$.trigger.email" }, limit: 1 }, [
        when("$.output.count", ">", 0, "known"),
        { target: "unknown" },
      ]),
      known: end({ found: true, name: "$.find_output.rows[0].values.name" }),
      unknown: end({ found: false }),
    }),
    cases: [
      {
        name: "a contact",
        input: { email: "ada@example.com" },
        rows: {
          contacts: [
            { email: "bo@example.com", name: "Bo" },
            { email: "ada@example.com", name: "Ada" },
          ],
        },
        expect: { output: { found: true, name: "Ada" } },
      },
      { name: "no contact", input: { email: "ada@example.com" }, expect: { output: { found: false } } },
    ],
  },
  {
    id: "sum-items",
    difficulty: "easy",
    say: "Input is a list `items`, each with `price` and `quantity`. Answer the sum of price times quantity as `{total}`; an empty list gives 0.",
    reference: flow(takes({ items: listOf({ price: "number", quantity: "number" }) }), {
      sum: code(
        "return items.reduce((sum, item) => sum + item.price * item.quantity, 0);",
        { items: "$.trigger.items" },
        "done",
      ),
      done: end({ total: "$.sum_output.result" }),
    }),
    cases: [
      {
        name: "two items",
        input: {
          items: [
            { price: 2.5, quantity: 4 },
            { price: 7, quantity: 1 },
          ],
        },
        expect: { output: { total: 17 } },
      },
      { name: "no items", input: { items: [] }, expect: { output: { total: 0 } } },
    ],
  },
  {
    id: "clean-phone",
    difficulty: "easy",
    say: "Clean a `phone` number: keep only its digits, and answer `{digits, valid}`; valid is true where there are 7 to 15 digits.",
    reference: flow(takes({ phone: "string" }), {
      clean: code(
        'const digits = phone.replace(/[^0-9]/g, "");\nreturn { digits, valid: digits.length >= 7 && digits.length <= 15 };',
        { phone: "$.trigger.phone" },
        "done",
      ),
      done: end({ digits: "$.clean_output.result.digits", valid: "$.clean_output.result.valid" }),
    }),
    cases: [
      {
        name: "a number",
        input: { phone: "+49 (30) 123-4567" },
        expect: { output: { digits: "49301234567", valid: true } },
      },
      { name: "too short", input: { phone: "110" }, expect: { output: { digits: "110", valid: false } } },
      { name: "no digits", input: { phone: "none" }, expect: { output: { digits: "", valid: false } } },
    ],
  },
  {
    id: "wait-payment",
    difficulty: "easy",
    say: "After an order with an `orderId` comes in, wait for the event payment.received whose correlation is that order id, and then answer `{paid: true, amount}` with the amount of the event's payload.",
    reference: flow(takes({ orderId: "string" }), {
      wait: step("core.waitForEvent", { event: "payment.received", correlation: "$.trigger.orderId" }, "done"),
      done: end({ paid: true, amount: "$.wait_output.payload.amount" }),
    }),
    cases: [
      {
        name: "its payment",
        input: { orderId: "A-7" },
        events: [{ event: "payment.received", correlation: "A-7", payload: { amount: 20 } }],
        expect: { output: { paid: true, amount: 20 } },
      },
      {
        name: "the payment of another order first",
        input: { orderId: "A-7" },
        events: [
          { event: "payment.received", correlation: "A-6", payload: { amount: 1 } },
          { event: "payment.received", correlation: "A-7", payload: { amount: 2 } },
        ],
        expect: { output: { paid: true, amount: 2 } },
      },
    ],
  },
  {
    id: "ask-address",
    difficulty: "easy",
    say: "For an `orderId` ask a person for the delivery address with a form: `street` and `city`, both are needed. Answer `{street, city}`.",
    reference: flow(takes({ orderId: "string" }), {
      form: step(
        "core.requestInput",
        {
          title: "Where to?",
          schema: takes({ street: "string", city: "string" }),
          context: { order: "$.trigger.orderId" },
        },
        "done",
      ),
      done: end({ street: "$.form_output.data.street", city: "$.form_output.data.city" }),
    }),
    cases: [
      {
        name: "an address",
        input: { orderId: "A-7" },
        decisions: [{ action: "submit", data: { street: "Main 1", city: "Berlin" } }],
        expect: { output: { street: "Main 1", city: "Berlin" }, asked: 1 },
      },
    ],
  },
  {
    id: "translate",
    difficulty: "easy",
    say: "Input is `{text, language}`. A text whose language is en is answered as it is, without asking a model. All others a model translates into English. Answer `{text}`.",
    reference: flow(takes({ text: "string", language: "string" }), {
      branch: junction(when("$.trigger.language", "==", "en", "asIs"), "translate"),
      translate: step("agent.llm", { prompt: "Translate into English:\n{{ $.trigger.text }}" }, "translated"),
      asIs: end({ text: "$.trigger.text" }),
      translated: end({ text: "$.translate_output.text" }),
    }),
    cases: [
      {
        name: "English",
        input: { text: "Good morning", language: "en" },
        facts: { text: "asked" },
        expect: { output: { text: "Good morning" } },
      },
      {
        name: "German",
        input: { text: "Guten Morgen", language: "de" },
        facts: { text: "Good morning" },
        expect: { output: { text: "Good morning" } },
      },
    ],
  },
];
