import type { Json, JsonObject } from "@oven/contract";
import type { ResolvedModel } from "@oven/contract/ai";
import { toUsableSchema, violationsOf } from "@oven/engine";
import { startModelServer } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { findProvider } from "../providers/all-providers.ts";
import { openProvider } from "../providers/define-provider.ts";
import type { Provider, ProviderApi } from "../providers/model-provider.ts";
import { callModel } from "./call-model.ts";
import { startRecorder } from "./testing/start-recorder.ts";

/** A key that the linter takes for that of a promise. */
const THEN = "then";
const inWords = (schema: JsonObject): string => `Must also fit ${JSON.stringify(schema)}`;
const withProperty = (name: string, schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { [name]: schema },
});

const CHOICE: Json[] = [
  { properties: { id: { type: "integer" } }, required: ["id"] },
  { properties: { mail: { type: "string" } }, required: ["mail"] },
];
const TUPLE = [{ type: "number" }, { type: "string" }];
const CONDITION = {
  patternProperties: { "^x-": { type: "string" } },
  if: { properties: { kind: { const: "card" } } },
  [THEN]: { required: ["card"] },
};
const KIND = { type: "string", enum: ["card", "cash"] };

interface Case {
  given: JsonObject;
  /** By whom it is sent to; `others` for who is not named. */
  sent: Record<string, JsonObject>;
  /** It fits what is sent and not what is given. */
  misfit?: JsonObject;
}

const CASES: Record<string, Case> = {
  "an object without properties": { given: { type: "object" }, sent: { others: { type: "object", properties: {} } } },
  "a choice at the root": {
    given: { type: "object", anyOf: CHOICE },
    sent: { others: { type: "object", properties: { id: {}, mail: {} }, description: inWords({ anyOf: CHOICE }) } },
    misfit: {},
  },
  "a bound of draft-04": {
    given: {
      $schema: "http://json-schema.org/draft-04/schema#",
      ...withProperty("price", { type: "number", minimum: 0, exclusiveMinimum: true }),
    },
    sent: {
      "gemini-api": withProperty("price", {
        type: "number",
        minimum: 0,
        description: inWords({ exclusiveMinimum: 0 }),
      }),
      others: withProperty("price", { type: "number", exclusiveMinimum: 0 }),
    },
  },
  "a pattern with a look-ahead": {
    given: withProperty("to", { type: "string", pattern: "^(?!\\.)[a-z.]+$" }),
    sent: { others: withProperty("to", { type: "string" }) },
  },
  "a tuple of draft-07": {
    given: withProperty("at", { type: "array", items: TUPLE, additionalItems: false }),
    sent: {
      others: withProperty("at", { type: "array", prefixItems: TUPLE, maxItems: 2 }),
    },
  },
  "a name with a space, keys by a pattern and a condition": {
    given: {
      type: "object",
      properties: { "full name": { type: "string" }, kind: KIND },
      required: ["full name"],
      ...CONDITION,
      additionalProperties: false,
    },
    sent: {
      "anthropic-api": {
        type: "object",
        properties: { kind: KIND },
        description: inWords({
          properties: { "full name": { type: "string" } },
          required: ["full name"],
          ...CONDITION,
          additionalProperties: false,
        }),
      },
      others: {
        type: "object",
        properties: { "full name": { type: "string" }, kind: KIND },
        required: ["full name"],
        description: inWords({ ...CONDITION, additionalProperties: false }),
      },
    },
    misfit: { "full name": "Ada", kind: "card" },
  },
};

const resolved: ResolvedModel = { providerId: "p", modelId: "m-1", simulated: false, alias: null };

function open(kind: string, baseUrl: string): Provider {
  const definition = findProvider(kind);
  if (definition === undefined) throw new Error(`no provider ${kind}`);
  const api: ProviderApi = openProvider(definition, { id: kind, apiKey: "sk", baseUrl, headers: {}, fetch });
  const listModels = async () => [];
  return {
    ...api,
    id: kind,
    title: kind,
    kind,
    configured: true,
    simulated: false,
    keyHint: "",
    listModels,
    probe: listModels,
  };
}

async function ask(provider: Provider, inputSchema: JsonObject, outputSchema?: JsonObject): Promise<void> {
  const model = provider.languageModel?.("m-1");
  if (model === undefined) throw new Error("no language models");
  await callModel({
    request: {
      model: "p:m-1",
      messages: [{ role: "user", content: "Go on" }],
      caller: { tenantId: 1, userId: 1 },
      tools: [{ id: "orders.get", description: "Reads", inputSchema }],
      ...(outputSchema === undefined ? {} : { outputSchema }),
    },
    resolved,
    provider,
    model,
  });
}

const asSent = ({ sent }: Case, reader: string): JsonObject | undefined => sent[reader] ?? sent.others;

describe.each(Object.entries(CASES))("%s", (_name, example) => {
  const checked = toUsableSchema(example.given).schema;

  it.each(["openai-api", "anthropic-api", "gemini-api"] as const)(
    "is sent over /chat/completions as %s takes it",
    async (schemas) => {
      const server = await startModelServer([{ text: "{}" }]);
      try {
        await ask({ ...open("openai-compatible", server.url), schemas }, checked, checked);
        const [request] = server.requests;
        const expected = asSent(example, schemas);
        expect(request?.body.tools).toEqual([
          { type: "function", function: { name: "orders_get", description: "Reads", parameters: expected } },
        ]);
        expect(request?.body.response_format).toMatchObject({ json_schema: { schema: expected, strict: false } });
      } finally {
        await server.close();
      }
    },
  );

  it.each([
    ["openai", "openai-api"],
    ["anthropic", "anthropic-api"],
    ["google", "gemini-api"],
  ] as const)("is sent to %s over its own API as it takes it", async (kind, reader) => {
    const vendor = await startRecorder(() => ({ status: 400, json: { error: { message: "As scripted" } } }));
    try {
      await expect(ask(open(kind, vendor.origin), checked)).rejects.toThrow();
      const expected = asSent(example, reader);
      const tool = {
        openai: [{ type: "function", name: "orders_get", description: "Reads", parameters: expected, strict: false }],
        anthropic: [{ name: "orders_get", description: "Reads", input_schema: expected }],
        google: [
          { functionDeclarations: [{ name: "orders_get", description: "Reads", parametersJsonSchema: expected }] },
        ],
      }[kind];
      expect(vendor.requests[0]?.body.tools).toEqual(tool);
    } finally {
      await vendor.close();
    }
  });
});

const WEAKENED = Object.entries(CASES).flatMap(([name, { given, sent, misfit }]) =>
  misfit === undefined ? [] : [{ name, given, sent, misfit }],
);

it.each(WEAKENED)(
  "$name: the whole schema refuses what the one that is sent lets through",
  ({ given, sent, misfit }) => {
    for (const weaker of Object.values(sent)) expect(violationsOf(weaker, misfit, "$.input")).toEqual([]);
    expect(violationsOf(toUsableSchema(given).schema, misfit, "$.input")).not.toEqual([]);
  },
);

it("OpenAI's strict mode is asked for where it can say the whole schema, by no other provider", async () => {
  const whole = { ...withProperty("id", { type: "integer" }), required: ["id"], additionalProperties: false };
  for (const [kind, strict] of [
    ["openai", true],
    ["openai-compatible", undefined],
  ] as const) {
    const vendor = await startRecorder(() => ({ status: 400, json: { error: { message: "As scripted" } } }));
    await expect(ask(open(kind, vendor.origin), whole)).rejects.toThrow();
    await vendor.close();
    const [tool] = vendor.requests[0]?.body.tools ?? [];
    expect((tool.function ?? tool).parameters).toEqual(whole);
    expect((tool.function ?? tool).strict).toBe(strict);
  }
});
