import type { JsonObject, Principal } from "@oven/contract";
import { AgentSettingsSchema } from "@oven/contract/agent";
import { describe, expect, it } from "vitest";
import { bare, namesTool } from "../tools/tool-patterns.ts";
import { toAgent } from "./agent-row.ts";
import { keepToAgents } from "./bound-to.ts";
import { checkParameters, checkSettings } from "./check-settings.ts";
import { toDefinition } from "./default-workflow.ts";

const exposed: JsonObject = {
  type: "object",
  properties: { language: { enum: ["de", "en"] }, tone: { type: "string" } },
  required: ["language"],
};

describe("parameters of a call", () => {
  it("are those that the agent exposes, as it exposes them", () => {
    expect(() => checkParameters(exposed, { language: "de", tone: "kind" })).not.toThrow();
    expect(() => checkParameters(exposed, { language: "fr" })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", path: expect.stringContaining("language") }),
    );
    expect(() => checkParameters(exposed, {})).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it("are refused when it does not expose them, not left out", () => {
    expect(() => checkParameters(exposed, { language: "de", model: "dear" })).toThrow(
      expect.objectContaining({ path: "$.parameters.model", fix: "It exposes: language, tone." }),
    );
    expect(() => checkParameters(null, { a: 1 })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
    expect(() => checkParameters(null, {})).not.toThrow();
    // Names of Object.prototype are nobody's parameters.
    expect(() => checkParameters(exposed, { language: "de", constructor: 1 })).toThrow("constructor");
  });
});

describe("settings of an agent", () => {
  const principal: Principal = { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] };
  const asked: unknown[] = [];
  // cast: what `checkSettings` asks of them
  const deps = {
    tools: { select: (patterns: readonly string[]) => asked.push(patterns) },
    runner: { requireWorkflow: async (_principal: Principal, id: number) => void asked.push(id) },
  } as unknown as Parameters<typeof checkSettings>[2];
  const settings = (more: object) => AgentSettingsSchema.parse(more);

  it.each(["message", "messages"])("expose no parameter named %s: the conversation is", async (name) => {
    const exposedParameters = { type: "object", properties: { [name]: {} } };
    await expect(checkSettings(principal, settings({ exposedParameters }), deps)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      path: "$.exposedParameters.properties",
    });
  });

  it.each(["exposedParameters", "outputSchema"])(
    "have a JSON Schema as %s, or are refused with the place",
    async (name) => {
      const schema = { type: "object", properties: { age: { type: "number", minimum: "one" } } };
      await expect(checkSettings(principal, settings({ [name]: schema }), deps)).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        path: `$.${name}.properties.age.minimum`,
      });
    },
  );

  it("name tools and a workflow that its maker may use", async () => {
    asked.length = 0;
    await checkSettings(principal, settings({ toolBindings: ["orders.*"], workflowId: 7 }), deps);
    expect(asked).toEqual([["orders.*"], 7]);
  });
});

it("an agent shows what no model sees of its answer's schema, and MCP clients of its parameters'", () => {
  const odd = { type: "object", patternProperties: { "^x-": { type: "string" } } };
  const notesOf = (more: object) => {
    const row = { id: 1, tenantId: 1, name: "A", slug: "a", description: null, enabled: true, version: 1 };
    const made = { ...row, createdBy: null, ownWorkflowId: null, createdAt: new Date(0), updatedAt: new Date(0) };
    return toAgent({ ...made, settings: AgentSettingsSchema.parse(more) }).notes.map(({ path, name }) => [path, name]);
  };
  expect(notesOf({ outputSchema: odd, exposedParameters: exposed })).toEqual([["$.outputSchema", "patternProperties"]]);
  expect(notesOf({ exposedParameters: odd })).toEqual([["$.exposedParameters", "patternProperties"]]);
});

describe("the workflow made from an agent's settings", () => {
  const made = (more: object) => toDefinition(AgentSettingsSchema.parse(more));

  it("is one tool loop, strict about its input", () => {
    const definition = made({ exposedParameters: exposed, toolBindings: ["orders.*"], maxToolIterations: 3 });
    expect(definition).toMatchObject({
      initial: "answer",
      maxToolIterations: 3,
      payloadSchema: { required: ["language", "messages"], additionalProperties: false },
      states: { answer: { invoke: { src: "agent.toolLoop", input: { tools: ["orders.*"] }, onDone: "done" } } },
    });
    expect(Object.keys(definition.states as JsonObject)).toEqual(["answer", "done"]); // cast: as above
    expect(made({})).not.toHaveProperty("maxToolIterations");
  });

  it("recalls before and remembers after where memory is on, and answers when either fails", () => {
    expect(made({ memoryConfig: { enabled: true } })).toMatchObject({
      initial: "recall",
      states: {
        recall: { invoke: { src: "agent.memory.read", onDone: "answer", onError: "answer" } },
        answer: { invoke: { onDone: "remember" } },
        remember: { invoke: { src: "agent.memory.write", onDone: "done", onError: "done" } },
      },
    });
    expect(made({ memoryConfig: { enabled: false } }).initial).toBe("answer");
  });
});

describe("patterns of tools", () => {
  it.each([
    [["orders.get"], "orders.get", true],
    [["orders.get"], "orders.getAll", false],
    [["orders.*"], "orders.get", true],
    [["orders.*"], "ordersx.get", false],
    [["orders.*"], "orders", false],
    [["*"], "anything.at.all", true],
    [["*", "!orders.refund"], "orders.refund", false],
    [["!orders.refund", "*"], "orders.refund", false],
    [["orders.*", "!orders.*"], "orders.get", false],
    [["!orders.refund"], "orders.get", false],
    [[], "orders.get", false],
  ])("%j name %s: %s", (patterns, id, named) => {
    expect(namesTool(patterns, id)).toBe(named);
  });

  it("are looked up without their exception mark", () => {
    expect([bare("!orders.*"), bare("orders.*")]).toEqual(["orders.*", "orders.*"]);
  });
});

it("routes that make something new stay closed to callers that are bound", () => {
  const route = (method: "GET" | "POST", path: string) =>
    ({ method, path }) as Parameters<typeof keepToAgents>[0][number]; // cast: what is looked at
  const kept = keepToAgents([route("GET", "agents"), route("POST", "agents"), route("POST", "agents/[slug]/invoke")]);
  expect(kept.map(({ keepsToWorkflows }) => keepsToWorkflows)).toEqual([true, false, true]);
});
