import { expect, it } from "vitest";
import { toFormFields } from "./form-fields.ts";

it("asks a question per property, with the control that fits it", () => {
  const fields = toFormFields({
    type: "object",
    required: ["email", "agree"],
    properties: {
      email: { type: "string", format: "email", title: "Your e-mail", description: "We answer there." },
      fullName: { type: "string" },
      message: { type: "string" },
      essay: { type: "string", maxLength: 5_000 },
      short: { type: "string", maxLength: 20 },
      day: { type: "string", format: "date" },
      at: { type: ["string", "null"], format: "date-time" },
      seats: { type: "integer", default: 2 },
      price: { type: "number" },
      agree: { type: "boolean" },
      size: { enum: ["s", "m"] },
      colours: { type: "array", items: { enum: ["red", "blue"] } },
      links: { type: "array", items: { type: "string" } },
      rows: { type: "array", items: { type: "object" } },
      either: { type: ["string", "number"] },
      when: { type: "string", format: "time" },
      plan: { anyOf: [{ const: "a", title: "Plan A" }, { const: 2 }, { enum: [true], title: "Yes" }] },
      level: { oneOf: [{ const: "low" }, { const: "high" }, { type: "null" }] },
      tags: { type: "array", items: { oneOf: [{ const: "x", title: "The X" }] } },
      maybe: { anyOf: [{ type: "string", format: "date" }, { type: "null" }], title: "Perhaps" },
      chosen: { anyOf: [{ enum: ["s", "m"] }, { type: "null" }] },
      open: { anyOf: [{ const: "a" }, { type: "string" }] },
    },
  });
  expect(Object.fromEntries(fields.map(({ name, control }) => [name, control]))).toEqual({
    email: "email",
    fullName: "text",
    message: "long-text",
    essay: "long-text",
    short: "text",
    day: "date",
    at: "date-time",
    seats: "integer",
    price: "number",
    agree: "boolean",
    size: "choice",
    colours: "choices",
    links: "text-list",
    rows: "json",
    either: "json",
    when: "time",
    plan: "choice",
    level: "choice",
    tags: "choices",
    maybe: "date",
    chosen: "choice",
    open: "json",
  });
  expect(fields.slice(0, 2).map(({ name }) => name)).toEqual(["email", "agree"]);
  expect(fields[0]).toMatchObject({
    label: "Your e-mail",
    description: "We answer there.",
    required: true,
    initial: null,
  });
  expect(fields[2]).toMatchObject({ label: "Full name", required: false });
  expect(fields.find(({ name }) => name === "seats")?.initial).toBe(2);
  const of = (wanted: string) => fields.find(({ name }) => name === wanted);
  expect(of("colours")).toMatchObject({ choices: ["red", "blue"], choiceLabels: ["red", "blue"] });
  expect(of("plan")).toMatchObject({ choices: ["a", 2, true], choiceLabels: ["Plan A", "2", "Yes"] });
  expect(of("level")).toMatchObject({ choices: ["low", "high"] });
  expect(of("tags")).toMatchObject({ choices: ["x"], choiceLabels: ["The X"] });
  expect(of("chosen")).toMatchObject({ choices: ["s", "m"] });
  expect(of("maybe")).toMatchObject({ label: "Perhaps", choices: [] });
});

it("keeps to the order that is asked for", () => {
  const schema = { required: ["b"], properties: { a: {}, b: {}, c: {} } };
  expect(toFormFields(schema, ["c"]).map(({ name }) => name)).toEqual(["c", "b", "a"]);
});

it.each([[undefined], [{ type: "string" }], ["x"]])("asks nothing of %j", (schema) => {
  expect(toFormFields(schema)).toEqual([]);
});
