import type { Json, JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { readForeign } from "../../importing/read-foreign.ts";
import { refused } from "../../importing/testing/read-imports.ts";
import { answer, chain, chat, start } from "./testing/dify-app.ts";

const CHAT = chat([start(), answer("a", "Hello")], chain("start", "a"));
const { kind: _, ...WITHOUT_KIND } = CHAT;

it.each<[string, JsonObject]>([
  ["without a kind", WITHOUT_KIND],
  ...["0.1.0", "0.1.5", "0.6.0", 0.1, null].map((version): [string, JsonObject] => [
    `of the version ${version}`,
    { ...CHAT, version },
  ]),
])("an export of Dify is read %s", async (_what, document) => {
  const { product, report } = await readForeign(stringify(document));
  expect(product).toBe("dify");
  expect(report.notes.join()).not.toContain("The format is of the version");
});

it("an export of a version that is not known is read with a note", async () => {
  const { report } = await readForeign(stringify({ ...CHAT, version: "1.0.0" }));
  expect(report.notes.join()).toContain("The format is of the version 1.0.0");
});

const MODEL = { model: { provider: "openai", name: "gpt-4o" }, pre_prompt: "Be kind" };
it.each<[string, JsonObject, string, string]>([
  ["chat", { kind: "app", app: { mode: "chat" }, model_config: MODEL }, "$.app.mode", "Switch to Workflow Orchestrate"],
  ["completion", { app: { mode: "completion" }, model_config: MODEL }, "$.app.mode", "Switch to Workflow Orchestrate"],
  ["agent-chat", { kind: "app", app: { mode: "agent-chat" }, model_config: MODEL }, "$.app.mode", "Agent node"],
  ["a workflow without its graph", { kind: "app", app: { mode: "workflow" } }, "$.workflow", "Export DSL"],
  ["a knowledge pipeline", { kind: "rag_pipeline", rag_pipeline: {}, workflow: {} }, "$.kind", "Export DSL"],
])("a file of Dify without a graph is refused with what to export: %s", async (_what, document, path, advice) => {
  const { code, message, fix, details } = await refused(stringify(document));
  expect([code, details?.problems]).toEqual(["SOURCE_INVALID", [expect.objectContaining({ path })]]);
  expect(`${message} ${String(fix)}`).toContain(advice);
  const [problem] = (details?.problems ?? []) as { [key: string]: Json }[]; // cast: written with the error
  expect(problem?.line).toBeGreaterThan(0);
});
