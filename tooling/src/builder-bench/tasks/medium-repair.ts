import { approved, changed, end, flow, forEach, http, listOf, review, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

const busyFlow = flow(takes({ id: "string" }), {
  fetch: http(
    "GET",
    "https://render.example.com/jobs/{{ $.trigger.id }}",
    "done",
    {},
    {
      retry: { maxAttempts: 4, backoff: "fixed", initialMs: 1000 },
    },
  ),
  done: end({ url: "$.fetch_output.body.url" }),
});

const optionalFlow = flow(takes({ id: "string" }), {
  score: http("GET", "https://score.example.com/customers/{{ $.trigger.id }}", "scored", {}, { onError: "unknown" }),
  scored: end({ score: "$.score_output.body.score" }),
  unknown: end({ score: null }, "unknown"),
});

const postFlow = flow(takes({ text: "string" }), {
  review: review("$.trigger.text", approved("post", "rejected"), {
    title: "Post this?",
    actions: ["approve", "edit", "reject"],
  }),
  post: http("POST", "https://cms.example.com/posts", "posted", { body: { text: "$.review_output.data" } }),
  posted: end(undefined, "posted"),
  rejected: end(undefined, "rejected"),
});

const loopFlow = flow(
  takes({
    orders: listOf({
      orderId: "string",
      to: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    }),
  }),
  {
    each: forEach(
      "$.trigger.orders",
      "ship",
      {
        ship: http("POST", "https://ship.example.com/parcels", "ok", {
          body: { order: "$.item.orderId", city: "$.item.to.city" },
        }),
        ok: end(),
      },
      "done",
    ),
    done: end({ count: "$.each_output.count" }),
  },
);

/** Faults that show in what comes out, or only sometimes. */
export const mediumRepair: readonly BenchTask[] = [
  {
    id: "repair-retry",
    difficulty: "medium",
    say: "The render service is often busy (503) three times in a row; then the run fails. It must try four times in all before it gives up, about a second apart. Repair it.",
    repair: {
      published: changed(busyFlow, ["states", "fetch", "invoke", "retry"], { maxAttempts: 1 }),
      run: { name: "busy", input: { id: "j" } },
    },
    reference: busyFlow,
    cases: [
      {
        name: "busy three times",
        late: true,
        input: { id: "j" },
        services: {
          "GET render.example.com/jobs/j": [{ status: 503 }, { status: 503 }, { status: 503 }, { body: { url: "u" } }],
        },
        expect: { output: { url: "u" } },
      },
      {
        name: "always busy",
        late: true,
        input: { id: "j" },
        services: { "GET render.example.com/jobs/j": { status: 503 } },
        expect: { status: "failed", calls: Array.from({ length: 4 }, () => ({ to: "GET render.example.com/jobs/j" })) },
      },
    ],
  },
  {
    id: "repair-optional-lookup",
    difficulty: "medium",
    say: "When the score service is down the whole run fails. The score is not that important: such a run must end with the outcome unknown and the output {score: null}. Repair it.",
    repair: {
      published: changed(
        changed(optionalFlow, ["states", "score", "invoke", "onError"], undefined),
        ["states", "unknown"],
        undefined,
      ),
      run: { name: "no score", input: { id: "7" } },
    },
    reference: optionalFlow,
    cases: [
      { name: "no score", input: { id: "7" }, expect: { outcome: "unknown", output: { score: null } } },
      {
        name: "a score",
        input: { id: "7" },
        services: { "GET score.example.com/customers/7": { body: { score: 12 } } },
        expect: { output: { score: 12 } },
      },
    ],
  },
  {
    id: "repair-rejection",
    difficulty: "medium",
    say: "Texts that I rejected were posted all the same! Rejected texts must end with the outcome rejected, without a call. And when I edit a text, the edited one must be posted, not the first one. Repair it.",
    repair: {
      published: changed(
        changed(
          postFlow,
          ["states", "review", "invoke", "onDone"],
          [when("$.output.action", "==", "rejected", "rejected"), { target: "post" }],
        ),
        ["states", "post", "invoke", "input", "body"],
        { text: "$.trigger.text" },
      ),
      run: { name: "a rejected one", input: { text: "First" }, decisions: [{ action: "reject" }] },
    },
    reference: postFlow,
    cases: [
      {
        name: "rejected",
        input: { text: "First" },
        decisions: [{ action: "reject" }],
        expect: { outcome: "rejected", calls: [] },
      },
      {
        name: "edited",
        input: { text: "First" },
        decisions: [{ action: "edit", data: "Second" }],
        services: { "POST cms.example.com/posts": { body: {} } },
        expect: { outcome: "posted", calls: [{ to: "POST cms.example.com/posts", body: { text: "Second" } }] },
      },
    ],
  },
  {
    id: "repair-item-path",
    difficulty: "medium",
    say: "Shipping fails since the shop sends the city as `to.city` of each order (it was `city`). Repair the step that ships; the shipping service still wants {order, city}.",
    repair: {
      published: changed(
        changed(
          loopFlow,
          ["states", "each", "loop", "bodyStates", "ship", "invoke", "input", "body", "city"],
          "$.item.city",
        ),
        ["payloadSchema", "properties", "orders"],
        { type: "array", items: { type: "object", properties: { orderId: { type: "string" } } } },
      ),
      run: { name: "two orders", input: { orders: [{ orderId: "a", to: { city: "Rome" } }] } },
    },
    reference: loopFlow,
    cases: [
      {
        name: "two orders",
        input: {
          orders: [
            { orderId: "a", to: { city: "Rome" } },
            { orderId: "b", to: { city: "Oslo" } },
          ],
        },
        services: { "POST ship.example.com/parcels": { body: {} } },
        expect: {
          output: { count: 2 },
          calls: [
            { to: "POST ship.example.com/parcels", body: { order: "a", city: "Rome" } },
            { to: "POST ship.example.com/parcels", body: { order: "b", city: "Oslo" } },
          ],
        },
      },
    ],
  },
];
