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
  expect(fields.find(({ name }) => name === "colours")?.choices).toEqual(["red", "blue"]);
});

it("keeps to the order that is asked for", () => {
  const schema = { required: ["b"], properties: { a: {}, b: {}, c: {} } };
  expect(toFormFields(schema, ["c"]).map(({ name }) => name)).toEqual(["c", "b", "a"]);
});

it.each([[undefined], [{ type: "string" }], ["x"]])("asks nothing of %j", (schema) => {
  expect(toFormFields(schema)).toEqual([]);
});
