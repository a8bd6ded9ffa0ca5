import { expect, it } from "vitest";
import { readFree, readNumber, readScalar, toScalarText } from "./scalar-text.ts";

const scalar = (...types: ("string" | "number" | "boolean" | "null")[]) => ({
  kind: "scalar" as const,
  options: types.map((type) => ({ type, limits: {} })),
});

it("takes a number only where nothing of the text is lost", () => {
  const orders = scalar("string", "number");
  expect(["8841", "0012", "1e3", "P1D", ""].map((text) => readScalar(orders, text))).toEqual([
    8841,
    "0012",
    "1e3",
    "P1D",
    undefined,
  ]);
});

it("takes yes, no and nothing only where they are allowed", () => {
  expect(["true", "null"].map((text) => readScalar(scalar("string"), text))).toEqual(["true", "null"]);
  expect(["true", "null"].map((text) => readScalar(scalar("string", "boolean", "null"), text))).toEqual([true, null]);
});

it("leaves what is no number for the message beside it", () => {
  expect(["0.5", "warm", " "].map(readNumber)).toEqual([0.5, "warm", undefined]);
});

it("shows again what it read", () => {
  expect([8841, "a", true, null, undefined].map(toScalarText)).toEqual(["8841", "a", "true", "null", ""]);
});

it("takes what any value may be as a number, yes or no, else as the text", () => {
  expect(["100", "0.50", "true", "", "$.a"].map(readFree)).toEqual([100, "0.50", true, "", "$.a"]);
});
