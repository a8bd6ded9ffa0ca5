import { changed, end, flow, forEach, http, junction, listOf, step, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const failed = end(undefined, "failed");

const totalsFlow = flow(
  takes({ orders: listOf({ customer: "string", lines: listOf({ price: "number", quantity: "number" }) }) }),
  {
    orders: forEach(
      "$.trigger.orders",
      "lines",
      {
        lines: forEach(
          "$.order.lines",
          "add",
          {
            add: junction({
              target: "added",
              actions: [{ type: "assign", params: { path: "$.total", add: { $cel: "item.price * item.quantity" } } }],
            }),
            added: end(),
          },
          "counted",
        ),
        counted: end(),
      },
      "done",
      { itemVariable: "order" },
    ),
    done: end({ total: "$.total" }),
  },
  { context: { total: 0 } },
);

const vipFlow = flow(
  takes({
    text: "string",
    customer: { type: "object", properties: { vip: { type: "boolean" }, name: { type: "string" } } },
  }),
  {
    route: junction(
      when("$.trigger.customer.vip", "==", true, "vip"),
      when("$.trigger.text", "contains", "urgent", "urgent"),
      "normal",
    ),
    vip: http("POST", "https://desk.example.com/queues/vip", "done", {
      body: { text: "$.trigger.text", name: '{{ $.trigger.customer.name | default("unknown") }}' },
    }),
    urgent: http("POST", "https://desk.example.com/queues/urgent", "done", { body: { text: "$.trigger.text" } }),
    normal: http("POST", "https://desk.example.com/queues/normal", "done", { body: { text: "$.trigger.text" } }),
    done: end(),
  },
);

const chargeFlow = flow(takes({ orderId: "string", amount: "number" }), {
  charge: {
    ...http("POST", "https://pay.example.com/charges", "ship", { body: { amount: "$.trigger.amount" } }),
    undo: "refund",
  },
  ship: http("POST", "https://ship.example.com/parcels", "done", { body: { orderId: "$.trigger.orderId" } }),
  refund: http("POST", "https://pay.example.com/charges/{{ $.undo.output.body.id }}/refund", "refunded"),
  refunded: end(),
  done: end(undefined, "shipped"),
});

const countFlow = flow(takes({ names: "string[]" }), {
  each: forEach(
    "$.trigger.names",
    "get",
    {
      get: http(
        "GET",
        "https://status.example.com/{{ $.item }}",
        [when("$.output.status", "==", 200, "up"), { target: "down" }],
        { anyStatus: true },
      ),
      up: end(true),
      down: end(false),
    },
    "done",
    { concurrency: 3, onError: "failed" },
  ),
  done: end({ up: { $cel: "ctx.each_output.items.filter(one, one.output == true).size()" } }),
  failed,
});

const notifyFlow = flow(takes({ email: "string", orderId: "string" }), {
  notify: step(
    "core.callWorkflow",
    {
      workflow: "notify-customer",
      kind: "agent-workflow",
      input: { recipient: "$.trigger.email", text: "Order {{ $.trigger.orderId }} is ready" },
    },
    [when("$.output.output.sent", "==", true, "done"), { target: "unsent" }],
    { onError: "failed" },
  ),
  done: end({ sent: true }),
  unsent: end(undefined, "unsent"),
  failed,
});

/** Several faults, or one that only shows in what was done outside. */
export const hardRepair: readonly BenchTask[] = [
  {
    id: "repair-nested-total",
    difficulty: "hard",
    say: "The workflow is to add up price times quantity over all lines of all orders as {total}. It only ever gives the last line's. Repair it; no orders give 0.",
    repair: {
      published: changed(
        totalsFlow,
        ["states", "orders", "loop", "bodyStates", "lines", "loop", "bodyStates", "add", "always"],
        [
          {
            target: "added",
            actions: [{ type: "assign", params: { path: "$.total", value: { $cel: "item.price * item.quantity" } } }],
          },
        ],
      ),
      run: {
        name: "two orders",
        input: {
          orders: [
            {
              customer: "a",
              lines: [
                { price: 2, quantity: 3 },
                { price: 1, quantity: 1 },
              ],
            },
          ],
        },
      },
    },
    reference: totalsFlow,
    cases: [
      {
        name: "two orders",
        input: {
          orders: [
            {
              customer: "a",
              lines: [
                { price: 2, quantity: 3 },
                { price: 1, quantity: 1 },
              ],
            },
            { customer: "b", lines: [{ price: 10, quantity: 2 }] },
          ],
        },
        expect: { output: { total: 27 } },
      },
      { name: "none", input: { orders: [] }, expect: { output: { total: 0 } } },
    ],
  },
  {
    id: "repair-vip-order",
    difficulty: "hard",
    say: "VIP customers (customer.vip is true) must always go to the queue vip, with {text, name}, also when their text has the word urgent; without a name the name is “unknown”. Others with urgent in the text go to urgent, the rest to normal. Now urgent VIPs land in urgent, and VIPs without a name fail. Repair both.",
    repair: {
      published: changed(
        changed(
          vipFlow,
          ["states", "route", "always"],
          [
            when("$.trigger.text", "contains", "urgent", "urgent"),
            when("$.trigger.customer.vip", "==", true, "vip"),
            { target: "normal" },
          ],
        ),
        ["states", "vip", "invoke", "input", "body", "name"],
        "$.trigger.customer.name",
      ),
      run: { name: "a VIP without a name", input: { text: "Hello", customer: { vip: true } } },
    },
    reference: vipFlow,
    cases: [
      {
        name: "an urgent VIP",
        input: { text: "urgent!", customer: { vip: true, name: "Ada" } },
        services: { "POST desk.example.com/queues/vip": { body: {} } },
        expect: { calls: [{ to: "POST desk.example.com/queues/vip", body: { text: "urgent!", name: "Ada" } }] },
      },
      {
        name: "a VIP without a name",
        input: { text: "Hello", customer: { vip: true } },
        services: { "POST desk.example.com/queues/vip": { body: {} } },
        expect: { calls: [{ to: "POST desk.example.com/queues/vip", body: { name: "unknown" } }] },
      },
      {
        name: "an urgent one",
        input: { text: "urgent!", customer: { vip: false } },
        services: { "POST desk.example.com/queues/urgent": { body: {} } },
        expect: { calls: [{ to: "POST desk.example.com/queues/urgent" }] },
      },
      {
        name: "any other",
        input: { text: "Hello", customer: {} },
        services: { "POST desk.example.com/queues/normal": { body: {} } },
        expect: { calls: [{ to: "POST desk.example.com/queues/normal" }] },
      },
    ],
  },
  {
    id: "repair-refund",
    difficulty: "hard",
    say: "When shipping fails the run fails, but the customer stays charged. Then the charge must be given back: POST to https://pay.example.com/charges/CHARGEID/refund (the id is in the answer of the charge). The run must still fail. Repair it.",
    repair: {
      published: flow(takes({ orderId: "string", amount: "number" }), {
        charge: http("POST", "https://pay.example.com/charges", "ship", { body: { amount: "$.trigger.amount" } }),
        ship: http("POST", "https://ship.example.com/parcels", "done", { body: { orderId: "$.trigger.orderId" } }),
        done: end(undefined, "shipped"),
      }),
      run: {
        name: "not shipped",
        input: { orderId: "A-7", amount: 5 },
        services: { "POST pay.example.com/charges": { body: { id: "c1" } } },
      },
    },
    reference: chargeFlow,
    cases: [
      {
        name: "not shipped",
        input: { orderId: "A-7", amount: 5 },
        services: {
          "POST pay.example.com/charges": { body: { id: "c1" } },
          "POST ship.example.com/parcels": { status: 400 },
          "POST pay.example.com/charges/c1/refund": { body: {} },
        },
        expect: {
          status: "failed",
          calls: [
            { to: "POST pay.example.com/charges" },
            { to: "POST ship.example.com/parcels" },
            { to: "POST pay.example.com/charges/c1/refund" },
          ],
        },
      },
      {
        name: "shipped",
        input: { orderId: "A-7", amount: 5 },
        services: {
          "POST pay.example.com/charges": { body: { id: "c1" } },
          "POST ship.example.com/parcels": { body: {} },
        },
        expect: {
          outcome: "shipped",
          calls: [{ to: "POST pay.example.com/charges", body: { amount: 5 } }, { to: "POST ship.example.com/parcels" }],
        },
      },
    ],
  },
  {
    id: "repair-side-by-side",
    difficulty: "hard",
    say: "The health check asks https://status.example.com/NAME for each name of the list `names`, several at a time, and is to answer {up}, how many answered 200. Since it asks several at a time the answer is always 0. Repair it; it must go on to ask several at a time.",
    repair: {
      published: {
        ...changed(
          changed(countFlow, ["states", "done", "output"], { up: "$.up" }),
          ["states", "each", "loop", "bodyStates", "get", "invoke", "onDone"],
          [
            {
              ...when("$.output.status", "==", 200, "up"),
              actions: [{ type: "assign", params: { path: "$.up", add: 1 } }],
            },
            { target: "down" },
          ],
        ),
        context: { up: 0 },
      },
      run: {
        name: "two of three",
        input: { names: ["a", "b"] },
        services: { "GET status.example.com/a": { body: {} } },
      },
    },
    reference: countFlow,
    cases: [
      {
        name: "two of three",
        input: { names: ["a", "b", "c"] },
        services: {
          "GET status.example.com/a": { body: {} },
          "GET status.example.com/b": { status: 500 },
          "GET status.example.com/c": { body: {} },
        },
        expect: { output: { up: 2 } },
      },
      {
        name: "none",
        input: { names: ["b"] },
        services: { "GET status.example.com/b": { status: 500 } },
        expect: { output: { up: 0 } },
      },
    ],
  },
  {
    id: "repair-called-workflow",
    difficulty: "hard",
    say: "This workflow calls our agent workflow notify-customer, which has been changed: it takes `recipient` and `text` now and ends with {sent}. Since then every run fails. It must send “Order ORDERID is ready” to the email, and answer {sent: true}. Repair it.",
    repair: {
      published: changed(
        changed(notifyFlow, ["states", "notify", "invoke", "input", "input"], {
          to: "$.trigger.email",
          text: "Order {{ $.trigger.orderId }} is ready",
        }),
        ["states", "notify", "invoke", "onDone"],
        [when("$.output.sent", "==", true, "done"), { target: "unsent" }],
      ),
      run: { name: "an order", input: { email: "ada@example.com", orderId: "A-7" } },
    },
    reference: notifyFlow,
    cases: [
      {
        name: "an order",
        input: { email: "ada@example.com", orderId: "A-7" },
        services: { "POST mail.example.com/send": { body: {} } },
        expect: {
          output: { sent: true },
          calls: [{ to: "POST mail.example.com/send", body: { to: "ada@example.com", text: "Order A-7 is ready" } }],
        },
      },
    ],
  },
];
