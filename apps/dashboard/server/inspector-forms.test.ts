import type { NodeType } from "@oven/contract/node";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { type Field, modeOf, type Shape, toFields } from "@oven/workflow-editor/inspector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Where a form offers no control but JSON or a text. */
function freePlaces(shape: Shape, at: string): string[] {
  switch (shape.kind) {
    case "free":
      return [at];
    case "list":
      return freePlaces(shape.item, `${at}[]`);
    case "record":
      return freePlaces(shape.value, `${at}.*`);
    case "object":
      return shape.fields.flatMap((field) => freePlaces(field.shape, `${at}.${field.name}`));
    case "variants":
      return shape.variants.flatMap((variant) => freePlaces(variant.shape, at));
    default:
      return [];
  }
}

/** Whether a schema says anything about a value that a form could use. */
function saysSomething(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const {
    description: _,
    title: __,
    default: ___,
    type,
    propertyNames: ____,
    ...rest
  } = schema as Record<string, unknown>; // cast: an object
  const open = rest.additionalProperties === undefined || Object.keys(rest.additionalProperties ?? {}).length === 0;
  if (type === undefined) return Object.keys(rest).length > 0;
  return !(type === "object" && rest.properties === undefined && open);
}

describe("the form of every node type", () => {
  let oven: TestOven;
  let types: NodeType[];
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    types = (await oven.call("GET", "node-types")).body;
  });
  afterAll(() => oven.stop());

  const all = (): { id: string; category: string; field: Field; schema: unknown }[] =>
    types.flatMap(({ id, category, inputSchema }) =>
      toFields(inputSchema).map((field) => ({
        id,
        category,
        field,
        schema: (inputSchema.properties as Record<string, unknown>)[field.name], // cast: a form has fields where there are properties
      })),
    );

  it("has a control for everything that its schema says anything about", () => {
    expect(types.length).toBeGreaterThan(30);
    const hidden = all()
      .filter(({ field, schema }) => field.shape.kind === "free" && saysSomething(schema))
      .map(({ id, field }) => `${id}.${field.name}`);
    expect(hidden).toEqual([]);
  });

  it("is free only where any value may stand in the nodes of this product", () => {
    const free = all()
      .filter(({ category }) => category !== "api")
      .flatMap(({ id, field }) => freePlaces(field.shape, `${id}.${field.name}`));
    expect([...new Set(free)].sort()).toMatchInlineSnapshot(`
      [
        "agent.callerTools.calls[].arguments",
        "agent.code.inputs.*",
        "agent.code.stepTools[].input",
        "agent.humanReview.context",
        "agent.humanReview.show",
        "agent.humanReview.toolCall.arguments",
        "agent.llm.messages[].content[].input",
        "agent.llm.messages[].content[].output.value",
        "agent.llm.messages[].content[].providerOptions.*.*",
        "agent.subagent.context",
        "agent.subagent.parameters",
        "agent.toolExecutor.answered[].arguments",
        "agent.toolExecutor.answered[].result",
        "agent.toolExecutor.approved.arguments",
        "agent.toolExecutor.approved[].arguments",
        "agent.toolExecutor.toolCalls[].arguments",
        "agent.toolLoop.stepTools[].input",
        "chain.keep.items.items[].input",
        "chain.keep.items.items[].output",
        "chain.keep.result.object",
        "chain.keep.tools",
        "chain.prepare.item",
        "chain.prepare.outputs.*",
        "chain.prepare.own",
        "chain.prepare.previous",
        "core.callWorkflow.input",
        "core.code.inputs.*",
        "core.condition.value",
        "core.emit.payload.*",
        "core.fail.details.*",
        "core.http.body",
        "core.log.data",
        "core.placeholder.original",
        "core.requestInput.context",
        "core.requestInput.proposal",
        "core.setVariable.value",
        "core.sql.params[]",
        "core.stop.output",
        "core.trackUsage.metadata.*",
        "core.transform.mapping.*",
        "data.stopCheck.conditions[].target_value",
        "data.store.raw",
        "data.store.read.*",
        "tables.insert.rows[].*",
        "tables.update.set.*",
        "tables.upsert.rows[].*",
      ]
    `);
  });

  it("names every property once, and shows each default as one of its values", () => {
    for (const { inputSchema } of types)
      expect(toFields(inputSchema).map(({ name }) => name)).toEqual(Object.keys(inputSchema.properties ?? {}));
    const odd = all().filter(
      ({ field }) =>
        field.default !== undefined && modeOf(field.shape, field.default) === "json" && field.shape.kind !== "free",
    );
    expect(odd.map(({ id, field }) => `${id}.${field.name}`)).toEqual([]);
  });
});
