import { describe, expect, it } from "vitest";
import { type AgentSettings, AgentSettingsSchema, ToolPatternSchema } from "./doors/agent.ts";
import { CreateGuardrailSchema, CreateModelBudgetSchema, ImageOptionsSchema } from "./doors/ai.ts";
import { ExecuteDraftSchema, SaveDraftSchema, UpdateWorkflowSchema } from "./doors/workflow.ts";
import { isGranted, mayUseWorkflow, type Principal, toActor, withoutBounds } from "./index.ts";

const principal: Principal = { kind: "user", userId: 3, tenantId: 1, permissions: [] };

describe("a principal", () => {
  it.each([
    [["*"], "orders.read", true],
    [["orders.*"], "orders.read", true],
    [["orders.read"], "orders.read", true],
    [["orders.read"], "orders.refund", false],
    [["order.*"], "orders.read", false],
    [["orders"], "orders.read", false],
    [["*.read"], "orders.read", false],
    [[], "orders.read", false],
  ])("with %j may %s: %s", (granted, wanted, may) => {
    expect(isGranted(granted, wanted)).toBe(may);
  });

  it("is bound to workflows by kind and id, and to all when it is bound to none", () => {
    const bound = { ...principal, workflows: ["workflow:12"], agents: [3] };
    expect(mayUseWorkflow(principal, "workflow", 12)).toBe(true);
    expect(mayUseWorkflow(bound, "workflow", 12)).toBe(true);
    expect(mayUseWorkflow(bound, "agent-workflow", 12)).toBe(false);
    expect(mayUseWorkflow(bound, "workflow", 1)).toBe(false);
    expect(mayUseWorkflow({ ...principal, workflows: [] }, "workflow", 12)).toBe(false);
    expect(withoutBounds(bound)).toEqual(principal);
  });

  it("is shown by its key where it has one", () => {
    expect(toActor(principal)).toEqual({ kind: "user", id: 3 });
    expect(toActor({ ...principal, kind: "api-key", keyId: 9 })).toEqual({ kind: "api-key", id: 9 });
    expect(toActor({ ...principal, kind: "api-key" })).toEqual({ kind: "api-key", id: null });
  });
});

describe("a guardrail", () => {
  const make = (action: string, rule: object) =>
    CreateGuardrailSchema.safeParse({ name: "G", direction: "both", action, rule }).success;
  const classifier = { kind: "classifier", model: "fast", instructions: "Say", labels: ["a", "b"], unwanted: ["b"] };

  it("redacts only what it can point at", () => {
    expect(make("redact", { kind: "keyword", words: ["x"] })).toBe(true);
    expect(make("redact", { kind: "pattern", pattern: "x+" })).toBe(true);
    expect(make("redact", { kind: "schema", schema: {} })).toBe(false);
    expect(make("redact", classifier)).toBe(false);
    expect(make("block", { kind: "schema", schema: {} })).toBe(true);
  });

  it("wants a classifier to be able to say what is unwanted", () => {
    expect(make("block", classifier)).toBe(true);
    expect(make("block", { ...classifier, unwanted: ["c"] })).toBe(false);
    expect(make("block", { ...classifier, labels: ["a"] })).toBe(false);
  });
});

describe("a budget", () => {
  const make = (terms: object) => CreateModelBudgetSchema.safeParse({ name: "B", limitTokens: 1, ...terms }).success;

  it("counts by the run for runs, and by days and months for all else", () => {
    expect(make({ scope: "run", period: "run" })).toBe(true);
    expect(make({ scope: "tenant", period: "day" })).toBe(true);
    expect(make({ scope: "run", period: "day" })).toBe(false);
    expect(make({ scope: "tenant", period: "run" })).toBe(false);
  });

  it("has a limit", () => {
    expect(make({ scope: "tenant", period: "day", limitTokens: null })).toBe(false);
    expect(make({ scope: "tenant", period: "day", limitTokens: null, limitMicros: 5 })).toBe(true);
    expect(make({ scope: "tenant", period: "day", limitTokens: 0 })).toBe(false);
  });
});

describe("an agent", () => {
  it.each(["orders.get", "orders.*", "*", "!orders.refund", "!*", "a-b_c.d"])("may be bound to %s", (pattern) => {
    expect(ToolPatternSchema.safeParse(pattern).success).toBe(true);
  });
  it.each(["", "orders.", "*.get", "orders.*.get", "!!orders", "or ders", "orders*"])(
    "is not bound to %j",
    (pattern) => {
      expect(ToolPatternSchema.safeParse(pattern).success).toBe(false);
    },
  );
  it("has no tools, no memory and no workflow of its own unless it says so", () => {
    const settings: AgentSettings = AgentSettingsSchema.parse({});
    expect(settings).toMatchObject({ toolBindings: [], memoryConfig: null, workflowId: null, streamingEnabled: true });
    expect(AgentSettingsSchema.safeParse({ maxToolIterations: 0 }).success).toBe(false);
    expect(AgentSettingsSchema.safeParse({ tools: [] }).success).toBe(false);
  });
});

describe("a draft", () => {
  const draft = { definition: {}, baseVersion: 1, revision: 0 };
  it.each([
    [draft, true],
    [{ ...draft, definition: [] }, false],
    [{ ...draft, definition: null }, false],
    [{ ...draft, revision: -1 }, false],
    [{ ...draft, revision: undefined }, false],
    [{ ...draft, baseVersion: 0 }, false],
    [{ ...draft, name: "x" }, false],
  ])("saved as %j: %s", (body, fits) => {
    expect(SaveDraftSchema.safeParse(body).success).toBe(fits);
  });

  it("is run with parts of a graph, and never as a recording or without effects that were asked for elsewhere", () => {
    expect(ExecuteDraftSchema.parse({})).toEqual({ input: {} });
    expect(ExecuteDraftSchema.safeParse({ from: "a", until: "b", pins: { a: 1 }, dryRun: true }).success).toBe(true);
    expect(ExecuteDraftSchema.safeParse({ recording: { name: "x", mode: "record" } }).success).toBe(false);
    expect(ExecuteDraftSchema.safeParse({ priority: 3 }).success).toBe(false);
  });

  it("is named by its revision when it is published", () => {
    expect(UpdateWorkflowSchema.safeParse({ draftRevision: 3 }).success).toBe(true);
    expect(UpdateWorkflowSchema.safeParse({ draftRevision: 0 }).success).toBe(false);
  });
});

describe("an image", () => {
  it.each([
    [{ prompt: "x" }, true],
    [{ prompt: "" }, false],
    [{ prompt: "x", count: 0 }, false],
    [{ prompt: "x", size: "1024x1024" }, true],
    [{ prompt: "x", size: "1x1" }, false],
    [{ prompt: "x", aspectRatio: "16/9" }, false],
    [{ prompt: "x", other: 1 }, false],
  ])("asked for as %j: %s", (options, fits) => {
    expect(ImageOptionsSchema.safeParse(options).success).toBe(fits);
  });
});
