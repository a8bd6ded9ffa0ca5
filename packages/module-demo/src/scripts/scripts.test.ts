import type { Json } from "@oven/contract";
import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Message, ModelAnswer } from "@oven/contract/ai";
import { type Database, migrate } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule, type Runtime } from "@oven/module-registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { seedShop } from "../seed-shop.ts";
import { createOrderTools } from "../tools/order-tools.ts";
import { demoWorkflows } from "../workflows/demo-workflows.ts";
import { demoScripts } from "./demo-scripts.ts";

let db: Database;
let runtime: Runtime;
const tools = createOrderTools(() => db);

beforeAll(async () => {
  db = await createTestPglite();
  await migrate(db, [{ name: "module-demo", folder: new URL("../../migrations", import.meta.url) }]);
  await seedShop(db);
  const environment = {
    publicUrl: "http://localhost:3000",
    dataDir: "unused",
    secret: "test",
    demo: true,
    bootstrapApiKey: undefined,
    outboundAllow: [],
    production: false,
  };
  runtime = await createRuntime({ db, modules: [createSystemModule(), createAiModule()], environment });
  for (const script of demoScripts) runtime.services.ai.registerScript(script);
});

afterAll(async () => {
  await runtime.stop();
  await db.close();
});

/** Talks to a simulated model and runs the tools it asks for, until it answers with text alone. */
async function converse(model: string, ...said: string[]): Promise<{ answer: ModelAnswer; called: string[] }> {
  const messages: Message[] = [];
  const called: string[] = [];
  let answer: ModelAnswer | undefined;
  for (const content of said) {
    messages.push({ role: "user", content });
    do {
      answer = await ask(model, messages);
      messages.push(answer.message);
      for (const { toolCallId, tool, arguments: args } of answer.toolCalls) {
        called.push(tool);
        const value = await run(tool, args, toolCallId);
        messages.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName: tool, output: value }] });
      }
    } while (answer.toolCalls.length > 0);
  }
  if (answer === undefined) throw new Error("nothing was said");
  return { answer, called };
}

function ask(model: string, messages: Message[]): Promise<ModelAnswer> {
  const offered = tools.map(({ id, description }) => ({ id, description, inputSchema: { type: "object" } }));
  return runtime.services.ai.generate({ model, messages, tools: offered, caller: { tenantId: 1, userId: null } });
}

async function run(id: string, args: Json, idempotencyKey: string) {
  const tool = tools.find((candidate) => candidate.id === id);
  if (tool === undefined) throw new Error(`no tool ${id}`);
  try {
    const input = tool.input.parse(args);
    const signal = AbortSignal.timeout(5_000);
    const context = { input, principal: SYSTEM_PRINCIPAL, signal, idempotencyKey, services: runtime.services };
    return { type: "json" as const, value: await tool.run(context) };
  } catch (error) {
    return { type: "error-text" as const, value: String(error) };
  }
}

test("support reply: a late order is looked up with the policy, and both are in the letter", async () => {
  const { answer, called } = await converse("simulated:support-reply", "Where is my order 8841?");
  expect(called).toEqual(["orders.policy", "orders.get"]);
  for (const fact of ["Ada Lindqvist", "8841", "Cast-iron bread oven", "9 March", "15 % off"])
    expect(answer.text).toContain(fact);
});

test.each([
  ["order 8842, please", "delivered on 3 March"],
  ["order 8843, please", "is being packed"],
  ["order 1234, please", "could not find an order"],
  ["It arrived with a crack", "a photo is enough"],
  ["Hello?", "the number of your order"],
])("support reply: %s", async (message, fact) => {
  expect((await converse("simulated:support-reply", message)).answer.text).toContain(fact);
});

test("support reply: what the reviewer said is in the next letter", async () => {
  const { answer } = await converse(
    "simulated:support-reply",
    "order 8841",
    "A reviewer did not accept this reply: warmer, please",
  );
  expect(answer.text).toContain("Dear Ada Lindqvist");
  expect(answer.text).toContain("warmer, please");
});

test.each([
  ["My parcel has not arrived", { category: "delivery", urgent: true }],
  ["I want my money back", { category: "refund", urgent: true }],
  ["Which flour for rye bread?", { category: "question", urgent: false }],
])("order triage: %s", async (message, expected) => {
  const { answer } = await converse("simulated:order-triage", message);
  expect(JSON.parse(answer.text)).toMatchObject(expected);
});

test("refund: a late order is looked up, its refund asked for, and the outcome told; a second time there is nothing to pay", async () => {
  const once = await converse("simulated:refund", "Order 9001 is late, I want my money back");
  expect(once.called).toEqual(["orders.get", "orders.refund"]);
  expect(once.answer.text).toContain("on its way");
  const again = await converse("simulated:refund", "Order 9001, my money please");
  expect(again.called).toEqual(["orders.get"]);
  expect(again.answer.text).toContain("nothing to pay back");
});

test("refund: a declined one is explained with the reason", async () => {
  const { answer } = await converse("simulated:refund", "A person declined the refund: there was a voucher");
  expect(answer.text).toContain("there was a voucher");
});

test("each workflow names a script that exists, and its examples fit its payload", () => {
  for (const { definition } of demoWorkflows) {
    expect(demoScripts.map(({ name }) => `simulated:${name}`)).toContain(definition.agentConfig?.model);
    const { examples } = z
      .looseObject({ examples: z.array(z.strictObject({ title: z.string(), input: z.unknown() })).min(2) })
      .parse(definition.meta);
    const payload = z.fromJSONSchema(definition.payloadSchema ?? {});
    for (const { title, input } of examples) expect(payload.safeParse(input).error, title).toBeUndefined();
  }
});
