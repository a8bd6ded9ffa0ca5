import { isGranted } from "@oven/contract";
import type { NotificationRecipient } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-roles";
import type { Happening } from "./read-facts.ts";

export interface Person {
  id: number;
  email: string;
}

/** Those who hold a permission: of what OVEN tells without a rule. */
export type Recipient = NotificationRecipient | { kind: "permitted"; permission: string };

/** Of one rule and event. */
const MOST_PEOPLE = 500;

interface PersonRow extends Record<string, unknown> {
  id: number;
  email: string;
}

/** Those of a tenant whom recipients name, each once; without who may not sign in. */
export class FindPeople {
  readonly #db: Database;
  readonly #services: ServiceMap;

  constructor({ db, services }: { db: Database; services: ServiceMap }) {
    this.#db = db;
    this.#services = services;
  }

  async of(tenantId: number, recipients: readonly Recipient[], happening: Happening): Promise<Person[]> {
    const { review } = happening.facts;
    const names = { ids: [] as number[], emails: [] as string[], roles: [] as string[] };
    const permissions: string[] = [];
    for (const recipient of recipients) {
      if (recipient.kind === "user") names.ids.push(recipient.userId);
      if (recipient.kind === "role") names.roles.push(recipient.role.toLowerCase());
      if (recipient.kind === "starter" && happening.starter !== null) names.ids.push(happening.starter);
      if (recipient.kind === "permitted") permissions.push(recipient.permission);
      if (recipient.kind !== "assignees" || review === null) continue;
      // A review without assignees asks everybody who may decide.
      if (review.assignees.length === 0) permissions.push("reviews.decide");
      for (const assignee of review.assignees) addAssignee(names, assignee.toLowerCase());
    }
    const named = await this.#named(tenantId, names);
    return permissions.length > 0 ? this.#withPermitted(tenantId, named, permissions) : named;
  }

  async #named(tenantId: number, names: { ids: number[]; emails: string[]; roles: string[] }): Promise<Person[]> {
    if (names.ids.length + names.emails.length + names.roles.length === 0) return [];
    return this.#db.query<PersonRow>(
      `select u.id, u.email from users u
       where u.tenant_id = $1 and u.disabled_at is null and (u.id = any($2::bigint[]) or lower(u.email) = any($3::text[])
         or exists (select 1 from user_roles r where r.user_id = u.id and r.tenant_id = $1 and lower(r.role::text) = any($4::text[])))
       order by u.id limit ${MOST_PEOPLE}`,
      [tenantId, names.ids, names.emails, names.roles],
      "notification-people",
    );
  }

  async #withPermitted(tenantId: number, named: readonly Person[], permissions: readonly string[]): Promise<Person[]> {
    const all = await this.#db.query<PersonRow>(
      `select id, email from users where tenant_id = $1 and disabled_at is null order by id limit ${MOST_PEOPLE}`,
      [tenantId],
      "notification-everybody",
    );
    const people = new Map(named.map((person) => [person.id, person]));
    for (const person of all) {
      const principal = await this.#services.access.findPrincipal(person.id, tenantId);
      if (principal !== undefined && permissions.some((one) => isGranted(principal.permissions, one)))
        people.set(person.id, person);
    }
    return [...people.values()];
  }
}

function addAssignee(names: { ids: number[]; emails: string[]; roles: string[] }, assignee: string): void {
  const [kind, name = ""] = [assignee.slice(0, assignee.indexOf(":")), assignee.slice(assignee.indexOf(":") + 1)];
  if (kind === "role") names.roles.push(name);
  if (kind !== "user") return;
  // An id of PostgreSQL's bigint, as a JS number.
  if (/^\d{1,15}$/.test(name)) names.ids.push(Number(name));
  else names.emails.push(name);
}
