import { notFound } from "@oven/contract";
import { ErasePersonSchema, PersonChoiceSchema, PersonReportSchema } from "@oven/contract/access";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import type { AccessDeps } from "../access/access-deps.ts";
import { PersonService } from "./person-service.ts";
import { toDownload } from "./stream-rows.ts";

const FILE = "personal-data.json";

/** One person's data. Bodies, not queries, name the person: addresses of requests are logged by proxies. */
export function personRoutes(deps: () => AccessDeps): Route[] {
  const service = () => new PersonService(deps().modules);
  return [
    defineRoute({
      method: "POST",
      path: "persons/find",
      operation: false,
      summary: "Where data of one person is, and what erasing does to it",
      access: { permission: "persons.export" },
      body: PersonChoiceSchema,
      response: PersonReportSchema,
      handler: async ({ body, principal }) => {
        return ok(await service().find(await service().resolve(principal.tenantId, body)));
      },
    }),
    defineRoute({
      method: "POST",
      path: "persons/export",
      operation: false,
      summary: "All data of one person as JSON, without secrets",
      access: { permission: "persons.export" },
      body: PersonChoiceSchema,
      handler: async ({ body, principal }) => {
        const subject = await service().resolve(principal.tenantId, body);
        return toDownload(service().export(subject), FILE);
      },
    }),
    defineRoute({
      method: "POST",
      path: "persons/erase",
      operation: false,
      summary: "Erase one person: `confirm` repeats their e-mail address; the answer says what is gone and what stays",
      access: { permission: "persons.erase" },
      body: ErasePersonSchema,
      response: PersonReportSchema,
      handler: async ({ body: { confirm, ...choice }, principal }) => {
        const subject = await service().resolve(principal.tenantId, choice);
        return ok(await service().erase(principal, subject, confirm));
      },
    }),
    defineRoute({
      method: "GET",
      path: "account/personal-data",
      operation: false,
      summary: "All of one's own data as JSON, without secrets; the export itself is written down",
      access: "session",
      effect: "at-least-once",
      handler: async ({ principal }) => {
        // A key may have less than its owner's rights, and a run acts for the person who started it.
        if (principal.kind !== "user" || principal.userId === null) throw notFound("account", "of a key");
        const subject = await service().resolve(principal.tenantId, { userId: principal.userId });
        return toDownload(service().export(subject), FILE);
      },
    }),
  ];
}
