import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ApiAuthSchema, type CataloguedService, CataloguedServiceSchema } from "@oven/contract/api";
import { describe, expect, it } from "vitest";
import { SERVICES } from "./all-services.ts";

const each = SERVICES.map((service): [string, CataloguedService] => [service.slug, service]);

it("lists every file once, by the name of its service", () => {
  const files = readdirSync(join(import.meta.dirname, "services")).map((file) => file.replace(/\.ts$/, ""));
  expect(SERVICES.map(({ slug }) => slug)).toEqual(files.toSorted());
  expect(new Set(SERVICES.map(({ name }) => name)).size).toBe(SERVICES.length);
  expect(SERVICES.length).toBeGreaterThanOrEqual(40);
});

describe.each(each)("%s", (_slug, service) => {
  it("has the shape of a service, with https addresses only", () => {
    expect(CataloguedServiceSchema.parse(service)).toEqual(service);
    const http = { ...service, documentation: service.documentation.replace("https:", "http:") };
    expect(CataloguedServiceSchema.safeParse(http).success).toBe(false);
  });

  if (!("serverUrl" in service)) return;
  it("signs in as a connection can, once its client is named, and proposes no operation twice", () => {
    const client = { clientId: "client", clientSecret: "client-secret" };
    const auth = "tokenUrl" in service.auth ? { ...service.auth, ...client } : service.auth;
    expect(ApiAuthSchema.parse(auth)).toMatchObject(auth);
    expect(new Set(service.operations).size).toBe(service.operations.length);
  });
});
