import type { ProviderKindInfo } from "@oven/contract/ai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";
import { PROVIDERS, preferredModels } from "./all-providers.ts";

let ai: TestAi;
beforeAll(async () => {
  ai = await startAi();
});
afterAll(() => ai.stop());

it("lists every kind with its words, its address and what its models make", async () => {
  const kinds = await ai.invoke<ProviderKindInfo[]>("GET", "ai-provider-kinds");
  expect(kinds.map(({ id }) => id)).toEqual(PROVIDERS.map(({ kind }) => kind));
  const made = Object.fromEntries(kinds.map(({ id, makes }) => [id, makes.join()]));
  expect(made).toMatchObject({
    openai: "text,embeddings,images",
    "openai-compatible": "text,embeddings,images",
    anthropic: "text",
    google: "text,embeddings,images,videos",
    "black-forest-labs": "images,videos",
    replicate: "images,videos",
  });
  expect(kinds.find(({ id }) => id === "anthropic")).toMatchObject({
    title: "Anthropic",
    help: "Anthropic's Claude models.",
    baseUrl: "https://api.anthropic.com/v1",
  });
});

it("takes no kind that is not installed, and none without an address where each server has its own", async () => {
  const set = (body: object) => ai.invoke("POST", "ai-providers", { body: { id: "own", ...body } });
  await expect(set({ kind: "acme" })).rejects.toMatchObject({ code: "INVALID_REQUEST", path: "$.kind" });
  await expect(set({ kind: "openai-compatible" })).rejects.toMatchObject({ path: "$.baseUrl" });
});

it("lists a provider whose kind is not installed any more as not usable, and lets it be deleted", async () => {
  await ai.db.query("insert into ai_providers (tenant_id, slug, title, kind) values (1, 'gone', 'Gone', 'acme')");
  const listed = await ai.invoke<object[]>("GET", "ai-providers");
  expect(listed).toContainEqual(expect.objectContaining({ id: "gone", kind: "acme", configured: false }));
  await expect(ai.services.ai.resolve("gone:any", 1)).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
  expect(await ai.services.ai.resolve("fast", 1)).toMatchObject({ simulated: true });
  await ai.invoke("DELETE", "ai-providers/[id]", { params: { id: "gone" } });
});

it("has each kind, variable and preferred model once", () => {
  const twice = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) !== index);
  expect(twice(PROVIDERS.map(({ kind }) => kind))).toEqual([]);
  const variables = PROVIDERS.flatMap(({ environment }) => [environment?.key.name, environment?.address?.name]);
  expect(twice(variables.filter((name) => name !== undefined))).toEqual([]);
  for (const purpose of ["fast", "smart", "embed", "image"] as const)
    expect(twice(preferredModels(purpose))).toEqual([]);
});
