import { type Agent, AgentSettingsSchema, CreateAgentSchema } from "@oven/contract/agent";
import { describe, expect, it } from "vitest";
import { compareSettings, NEW_AGENT, toBody, toDraft } from "./agent-draft.ts";

const settings = AgentSettingsSchema.parse({
  systemPrompt: "Be short.",
  model: "fast",
  agentConfig: { temperature: 0, maxOutputTokens: 200, timeoutMs: 1_500 },
  toolBindings: ["orders.*", "!orders.refund"],
  memoryConfig: { enabled: true, scope: "agent+user", topK: 3 },
  exposedParameters: { type: "object", properties: { language: { type: "string" } } },
});
const agent: Agent = {
  ...settings,
  id: 1,
  tenantId: 1,
  name: "Helper",
  slug: "helper",
  description: null,
  enabled: true,
  version: 2,
  runsWorkflowId: 9,
  notes: [],
  createdBy: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

describe("the form of an agent", () => {
  it("gives back all that it was given, unchanged", () => {
    const body = CreateAgentSchema.parse(toBody(toDraft(agent)));
    expect(AgentSettingsSchema.strip().parse(body)).toEqual(settings);
    expect(body).toMatchObject({ name: "Helper", slug: "helper", description: null, enabled: true });
  });

  it("leaves to the defaults what was not typed", () => {
    const body = CreateAgentSchema.parse(toBody({ ...NEW_AGENT, name: " New " }));
    expect(body).toMatchObject({
      name: "New",
      model: null,
      agentConfig: {},
      memoryConfig: null,
      maxToolIterations: null,
    });
    expect(body.slug).toBeUndefined();
  });

  it("tells which settings differ, whatever order their keys have", () => {
    const other = { ...settings, agentConfig: { timeoutMs: 1_500, maxOutputTokens: 200, temperature: 0 } };
    expect(compareSettings(settings, other)).toEqual([]);
    expect(compareSettings(settings, { ...settings, agentConfig: { temperature: 1 } })).toEqual([
      { name: "Settings of the model: temperature", before: 0, after: 1 },
      { name: "Settings of the model: maxOutputTokens", before: 200, after: undefined },
      { name: "Settings of the model: timeoutMs", before: 1_500, after: undefined },
    ]);
    expect(compareSettings(settings, { ...settings, model: null, toolBindings: ["orders.get"] })).toEqual([
      { name: "Model", before: "fast", after: undefined },
      { name: "Tools", before: "orders.*, !orders.refund", after: "orders.get" },
    ]);
  });
});
