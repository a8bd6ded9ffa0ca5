import { readdirSync } from "node:fs";
import { ApiAuthSchema, type CataloguedService, CataloguedServiceSchema } from "@oven/contract/api";
import { describe, expect, it } from "vitest";
import { readServices, SERVICES_FOLDER } from "./read-services.ts";

const services = readServices();
const each = services.map((service): [string, CataloguedService] => [service.slug, service]);

it("reads every file once, by the name of its service", () => {
  const files = readdirSync(SERVICES_FOLDER).map((file) => file.replace(/\.json$/, ""));
  expect(services.map(({ slug }) => slug)).toEqual(files.toSorted());
  expect(new Set(services.map(({ name }) => name)).size).toBe(services.length);
  expect(services.length).toBeGreaterThanOrEqual(40);
});

describe.each(each)("%s", (_slug, service) => {
  it("has https addresses only", () => {
    const http = { ...service, documentation: service.documentation.replace("https:", "http:") };
    expect(CataloguedServiceSchema.safeParse(http).success).toBe(false);
  });

  it("has each of its texts in German", () => {
    const { de } = service.translations;
    expect(de.steps).toHaveLength(service.steps.length);
    expect(de.notes).toHaveLength(service.notes.length);
    expect(de.description).not.toBe(service.description);
  });

  if (!("serverUrl" in service)) return;
  it("signs in as a connection can, once its client is named, and proposes no operation twice", () => {
    const client = { clientId: "client", clientSecret: "client-secret" };
    const auth = "tokenUrl" in service.auth ? { ...service.auth, ...client } : service.auth;
    expect(ApiAuthSchema.parse(auth)).toMatchObject(auth);
    expect(new Set(service.operations).size).toBe(service.operations.length);
  });
});
