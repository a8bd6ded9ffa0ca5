import { expect, it } from "vitest";
import { z } from "zod";
import { readVariables } from "./environment-variable.ts";

const port = { name: "BAKERY_PORT", description: "Port", schema: z.string().regex(/^\d+$/, "digits only") };
const key = { name: "BAKERY_KEY", description: "Key", schema: z.string().min(1), isSecret: true };
const modules = [{ variables: [port] }, { variables: [key] }, { variables: [] }];

it("hands over what modules declare and nothing else of the process", () => {
  expect(readVariables(modules, { BAKERY_PORT: "80", HOME: "/root" })).toEqual({ BAKERY_PORT: "80" });
});

it("names the variable that has a wrong value", () => {
  expect(() => readVariables(modules, { BAKERY_KEY: "k", BAKERY_PORT: "http" })).toThrow(
    expect.objectContaining({ code: "INVALID_ENVIRONMENT", message: "BAKERY_PORT: digits only" }),
  );
});
