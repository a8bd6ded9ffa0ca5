import type { CataloguedApi, ServiceAuth } from "@oven/contract/api";
import { loadLanguage } from "@oven/i18n";
import { afterEach, expect, it } from "vitest";
import { NEW_CONNECTION, toSettings } from "../connections/connection-draft.ts";
import { findServices } from "./find-services.ts";
import { fromService, proposedOperations, secretHost } from "./service-draft.ts";

const designs: CataloguedApi = {
  ...{ slug: "designs", name: "Designs", category: "files", description: "Files and comments" },
  ...{ documentation: "https://example.com/docs", source: { type: "url", url: "https://example.com/openapi.json" } },
  ...{ serverUrl: "https://api.example.com/v1", auth: { type: "bearer" }, operations: ["GET /files"] },
  ...{ steps: ["Create a key."], notes: [], checkedAt: "2026-11-29" },
  translations: { de: { description: "Dateien und Kommentare", steps: ["Lege einen Schlüssel an."], notes: [] } },
};
const music: CataloguedApi = {
  ...{ ...designs, slug: "music", name: "Music", description: "Albums" },
  translations: { de: { ...designs.translations.de, description: "Alben" } },
};
const client = { tokenUrl: "https://login.example.com/token", scope: "read", clientIn: "body" } as const;

afterEach(() => loadLanguage("en"));

const found = [
  { name: "getOrder", method: "GET", path: "/orders/{id}", problem: null },
  { name: "deleteOrder", method: "DELETE", path: "/orders/{id}", problem: null },
  { name: "ping", method: "GET", path: "/ping", problem: "OVEN cannot send it" },
  { name: "viewer", method: "POST", path: "/graphql", problem: null },
] as const;

it("finds the proposed operations of a document by path, whatever its parameters are called, or by name", () => {
  const operations = ["GET /orders/{orderId}", "GET /ping", "viewer", "GET /gone"];
  expect(proposedOperations({ operations }, found)).toEqual(["getOrder", "viewer"]);
});

const WAYS: ServiceAuth[] = [
  { type: "none" },
  { type: "bearer" },
  { type: "basic", user: "ada" },
  { type: "api-key", in: "header", name: "X-Key", prefix: "Token " },
  { type: "client-credentials", ...client },
  {
    ...{ type: "oauth", authorizationUrl: "https://login.example.com/authorize", ...client },
    parameters: { access_type: "offline" },
  },
];

it.each(WAYS)("proposes the server and how to sign in: $type", (auth) => {
  const draft = { ...NEW_CONNECTION, ...fromService({ ...designs, auth }) };
  expect(toSettings(draft)).toMatchObject({ name: "designs", title: "Designs", serverUrl: designs.serverUrl, auth });
});

it("names the host that a secret is sent to", () => {
  expect(secretHost(designs)).toBe("api.example.com");
  expect(secretHost({ ...designs, auth: { type: "client-credentials", ...client } })).toBe("login.example.com");
  expect(secretHost({ ...designs, auth: { type: "none" } })).toBeNull();
});

it("finds services by the words of their name or description, in the reader's language, and by category", async () => {
  const slugs = (words: string, category: Parameters<typeof findServices>[2] = null) =>
    findServices([music, designs], words, category).map(({ slug }) => slug);
  expect(slugs("")).toEqual(["designs", "music"]);
  expect(slugs("comments DES")).toEqual(["designs"]);
  expect(slugs("comments music")).toEqual([]);
  expect(slugs("", "money")).toEqual([]);
  expect(slugs("", "files")).toEqual(["designs", "music"]);
  await loadLanguage("de");
  expect(slugs("kommentare des")).toEqual(["designs"]);
  expect(slugs("comments")).toEqual([]);
});
