import { expect, it } from "vitest";
import { readDocument } from "./read-document.ts";

const PATHS = '"info":{},"paths":{"/a":{"get":{}}}';

it.each([
  ["OpenAPI 3.0", `{"openapi":"3.0.4",${PATHS}}`],
  ["OpenAPI 3.2 with a byte order mark", `\uFEFF{"openapi":"3.2.0",${PATHS}}`],
  ["Swagger", `{"swagger":"2.0",${PATHS}}`],
  ["YAML in the form of JSON", `{openapi: "3.1.0", ${PATHS},}`],
  ["a document of version 3 without quotes", "openapi: 3.1\ninfo: {}\npaths: {/a: {get: {}}}"],
  ["Swagger without quotes", "swagger: 2.0\ninfo: {}\npaths: {/a: {get: {}}}"],
  ["a schema with a comment first", "# The schema\ntype Query { a: Int }"],
])("%s is read", (_what, text) => {
  expect(readDocument(text, undefined).operations).toHaveLength(1);
});

it("OpenAPI 3.0 without quotes is read as 3.0", () => {
  const schema = "{type: string, nullable: true}";
  const text = `openapi: 3.0\ninfo: {}\npaths: {/a: {get: {parameters: [{name: x, in: query, schema: ${schema}}]}}}`;
  const [operation] = readDocument(text, undefined).operations;
  expect(operation?.inputSchema.properties).toEqual({ x: { type: ["string", "null"] } });
});

it.each([
  ["<!DOCTYPE html><html></html>", "a page of markup"],
  ['<?xml version="1.0"?><definitions/>', "a page of markup"],
  [
    '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[]}',
    "a collection of Postman",
  ],
  ["asyncapi: 3.0.0", "AsyncAPI"],
  ['{"errors":[{"message":"Introspection is disabled"}]}', 'the error "Introspection is disabled"'],
  ["{}", "neither `openapi`"],
  ['{"openapi":"3.0.0"}', "`paths` is missing"],
  ['{"swagger":"2.0","paths":{"/a":{"get":{"parameters":[{"name":"x"}]}}}}', 'must have an "in" property'],
  ['{"swagger":"1.2","apis":[]}', "Swagger 1.2 is not known"],
  ["a: [", "neither JSON nor YAML"],
  ["a: &x [*x]", "nested more than"],
])("%s is refused, and said what it is", (text, message) => {
  expect(() => readDocument(text, undefined)).toThrow(
    expect.objectContaining({
      code: "API_DOCUMENT_UNREADABLE",
      status: 422,
      message: expect.stringContaining(message),
    }),
  );
});
