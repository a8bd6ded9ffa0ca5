import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { expect } from "vitest";
import type { ImportStory } from "../../../importing/testing/import-story.ts";

/**
 * Imports a document without placeholders and runs it, with the addresses of services led to the story's shop (`https://a.example/b` as
 * `/a.example/b`) and a text in place of each secret.
 */
export async function runLed(
  { call, shop }: ImportStory,
  document: JsonObject,
  input: JsonObject,
): Promise<{ status: string; output: Json; error: string | null }> {
  const source = JSON.stringify(document);
  const { body: read } = await call("POST", "workflow-imports/preview", { source });
  expect(read.report.elements.filter(({ outcome }: { outcome: string }) => outcome === "placeholder")).toEqual([]);
  expect(read.problems).toEqual([]);
  const name = `Led ${crypto.randomUUID()}`;
  const slug = name.toLowerCase().replace(" ", "-");
  const made = await call("POST", "agent-workflows", { name, slug, definition: ledTo(shop.origin, read.definition) });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return (await call("POST", `agent-workflows/${made.body.id}/execute?wait=30`, { input })).body;
}

function ledTo(origin: string, value: Json): Json {
  if (typeof value === "string") return value.replace(/^https:\/\//, `${origin}/`);
  if (Array.isArray(value)) return value.map((item) => ledTo(origin, item));
  if (!isObject(value)) return value;
  if (typeof value.$secret === "string") return `${String(value.prefix ?? "")}secret of ${value.$secret}`;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, ledTo(origin, child)]));
}
