import { end, flow, http, parallel, region, step, takes, when } from "../definition-parts.ts";
import type { BenchTask } from "../task.ts";

/** Days of waiting, and services that fail. */
export const hardBuildDays: readonly BenchTask[] = [
  {
    id: "onboarding",
    difficulty: "hard",
    say: "A sign-up comes in (`email`). POST {email} to https://accounts.example.com/users; the answer has an `id`. Then wait three days in all for the event email.confirmed with that id as its correlation; after one day without it POST {email} to https://mail.example.com/reminders, once. Confirmed: at the same time POST {email} to https://mail.example.com/welcome and write the email with the status confirmed into the table contacts; outcome confirmed. Not confirmed in three days: DELETE https://accounts.example.com/users/ID, outcome expired.",
    reference: flow(takes({ email: "string" }), {
      create: http("POST", "https://accounts.example.com/users", "first", { body: { email: "$.trigger.email" } }),
      first: step(
        "core.waitForEvent",
        { event: "email.confirmed", correlation: "$.create_output.body.id", deadline: "P1D" },
        "confirmed",
        { onError: "remind" },
      ),
      remind: http("POST", "https://mail.example.com/reminders", "second", { body: { email: "$.trigger.email" } }),
      second: step(
        "core.waitForEvent",
        { event: "email.confirmed", correlation: "$.create_output.body.id", deadline: "P2D" },
        "confirmed",
        { onError: "remove" },
      ),
      confirmed: parallel(
        {
          mail: region({
            welcome: http("POST", "https://mail.example.com/welcome", "welcomed", {
              body: { email: "$.trigger.email" },
            }),
            welcomed: end(),
          }),
          table: region({
            save: step(
              "tables.upsert",
              { table: "contacts", on: ["email"], rows: [{ email: "$.trigger.email", status: "confirmed" }] },
              "saved",
            ),
            saved: end(),
          }),
        },
        "done",
      ),
      remove: http("DELETE", "https://accounts.example.com/users/{{ $.create_output.body.id }}", "expired"),
      done: end(undefined, "confirmed"),
      expired: end(undefined, "expired"),
    }),
    cases: [
      {
        name: "confirmed",
        input: { email: "ada@example.com" },
        services: {
          "POST accounts.example.com/users": { body: { id: "u1" } },
          "POST mail.example.com/welcome": { body: {} },
        },
        events: [{ event: "email.confirmed", correlation: "u1" }],
        expect: {
          outcome: "confirmed",
          calls: [{ to: "POST accounts.example.com/users" }, { to: "POST mail.example.com/welcome" }],
          rows: { contacts: [{ email: "ada@example.com", status: "confirmed" }] },
        },
      },
      {
        name: "never confirmed",
        late: true,
        input: { email: "ada@example.com" },
        services: {
          "POST accounts.example.com/users": { body: { id: "u1" } },
          "POST mail.example.com/reminders": { body: {} },
          "DELETE accounts.example.com/users/u1": { body: {} },
        },
        expect: {
          outcome: "expired",
          calls: [
            { to: "POST accounts.example.com/users" },
            { to: "POST mail.example.com/reminders", body: { email: "ada@example.com" } },
            { to: "DELETE accounts.example.com/users/u1" },
          ],
          rows: { contacts: [] },
        },
      },
    ],
  },
  {
    id: "quorum",
    difficulty: "hard",
    say: "Ask three services for a price at the same time: GET https://a.example.com/price, https://b.example.com/price and https://c.example.com/price, each answers {price}. Each may fail without harm to the others. With at least two answers end with `{mean}`, the mean of the prices there are; with fewer end with the outcome no-quorum.",
    reference: flow(takes({}), {
      all: parallel(
        Object.fromEntries(
          ["a", "b", "c"].map((name) => [
            `${name}Side`,
            region({
              [name]: http("GET", `https://${name}.example.com/price`, `${name}Done`, {}, { onError: `${name}Failed` }),
              [`${name}Done`]: end(`$.${name}_output.body.price`),
              [`${name}Failed`]: end(null),
            }),
          ]),
        ),
        "mean",
      ),
      mean: step(
        "core.code",
        {
          code: "const prices = Object.values(all).filter((price) => price !== null);\nreturn { count: prices.length, mean: prices.length === 0 ? 0 : prices.reduce((sum, price) => sum + price, 0) / prices.length };",
          inputs: { all: "$.all_output" },
        },
        [when("$.output.result.count", ">=", 2, "done"), { target: "noQuorum" }],
      ),
      done: end({ mean: "$.mean_output.result.mean" }),
      noQuorum: end(undefined, "no-quorum"),
    }),
    cases: [
      {
        name: "two of three",
        input: {},
        services: {
          "GET a.example.com/price": { body: { price: 10 } },
          "GET b.example.com/price": { status: 400 },
          "GET c.example.com/price": { body: { price: 20 } },
        },
        expect: { output: { mean: 15 } },
      },
      {
        name: "all",
        input: {},
        services: {
          "GET a.example.com/price": { body: { price: 10 } },
          "GET b.example.com/price": { body: { price: 30 } },
          "GET c.example.com/price": { body: { price: 20 } },
        },
        expect: {
          output: { mean: 20 },
          calls: ["a", "b", "c"].map((name) => ({ to: `GET ${name}.example.com/price` })),
        },
      },
      {
        name: "one",
        input: {},
        services: { "GET a.example.com/price": { body: { price: 10 } } },
        expect: { outcome: "no-quorum" },
      },
    ],
  },
];
