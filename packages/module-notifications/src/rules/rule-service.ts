import { randomBytes } from "node:crypto";
import { type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { CreateNotificationRule, NotificationRule, UpdateNotificationRule } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { findVisible, listRows, type ServiceMap } from "@oven/module-registry";
import { isDeciding } from "../decisions/decision-channel.ts";
import { checkWords } from "../messages/render.ts";
import { notificationRules } from "../schema.ts";
import { type RuleRow, toRule } from "./rule-row.ts";

type Editable = Omit<NotificationRule, "id" | "decisionsPath" | "createdAt" | "updatedAt">;

const KEY_BYTES = 24;

export interface RuleDeps {
  db: Database;
  services: ServiceMap;
  /** Called on every change; `isJoint`: it is part of a transaction that goes on. */
  onChange(isJoint: boolean): void;
}

/** Rules as people see and change them. */
export class RuleService {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #onChange: () => void;

  constructor({ db, services, onChange }: RuleDeps) {
    this.#db = db;
    this.#services = services;
    this.#onChange = () => onChange(db.isJoint);
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: NotificationRule[]; total: number }> {
    const { id, name, enabled, createdAt, updatedAt, tenantId } = notificationRules;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: notificationRules,
      fields: { id, name, enabled, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: rows.map(toRule), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<NotificationRule> {
    return toRule(await this.#row(principal, id));
  }

  /** @throws OvenError INVALID_NOTIFICATION_RULE, NOT_FOUND for the workflow */
  async create(principal: Principal, body: CreateNotificationRule): Promise<NotificationRule> {
    await this.#check(principal, body);
    const [row] = await this.#db.orm
      .insert(notificationRules)
      .values({ tenantId: principal.tenantId, ...body, decisionsKey: keyOf(body) })
      .returning();
    this.#onChange();
    if (row === undefined) throw new Error("an insert answered no row");
    return toRule(row);
  }

  /** @throws as `create`, NOT_FOUND */
  async update(principal: Principal, id: number, body: UpdateNotificationRule): Promise<NotificationRule> {
    const { id: _id, decisionsPath: _path, createdAt: _createdAt, updatedAt: _updatedAt, ...sent } = body;
    const changed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    const before = await this.#row(principal, id);
    const after: Editable = { ...toRule(before), ...changed };
    await this.#check(principal, after);
    // The address stays the same, for it is written down elsewhere.
    const decisionsKey = before.decisionsKey ?? keyOf(after);
    const [row] = await this.#db.orm
      .update(notificationRules)
      .set({ ...changed, decisionsKey, updatedAt: sql`now()` })
      .where(and(eq(notificationRules.id, id), eq(notificationRules.tenantId, principal.tenantId)))
      .returning();
    this.#onChange();
    if (row === undefined) throw notFound("notification rule", id);
    return toRule(row);
  }

  /** What it has sent stays in the log; what still waits is not sent. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    const gone = await this.#db.orm
      .delete(notificationRules)
      .where(and(eq(notificationRules.id, id), eq(notificationRules.tenantId, principal.tenantId)))
      .returning({ id: notificationRules.id });
    this.#onChange();
    if (gone.length === 0) throw notFound("notification rule", id);
  }

  /** Those about a workflow that was deleted. */
  async deleteOf(kind: ExecutionKind, workflowId: number): Promise<void> {
    await this.#db.system.query(
      "delete from notification_rules where scope ->> 'kind' = $1 and (scope ->> 'workflowId')::bigint = $2",
      [kind, workflowId],
    );
    this.#onChange();
  }

  async #check(principal: Principal, rule: Editable): Promise<void> {
    const { scope, channel, recipients, events, subject, text } = rule;
    const goesToPeople = channel.type === "in-app" || channel.type === "email";
    if (goesToPeople && recipients.length === 0)
      throw invalid("$.recipients", "Nobody is named", "Name who is told: the starter, assignees, users or roles.");
    if (recipients.some(({ kind }) => kind === "assignees") && !events.some((kind) => kind.startsWith("review.")))
      throw invalid("$.recipients", "Assignees are of reviews only", "Add a review event, or name others.");
    checkWords({ subject, text }, events);
    if (scope.kind === "all") return;
    await this.#services.workflowPlatform.face(scope.kind).workflows.get(principal, String(scope.workflowId));
  }

  async #row(principal: Principal, id: number): Promise<RuleRow> {
    const row = await findVisible(this.#db.orm, notificationRules, principal, id);
    if (row === undefined) throw notFound("notification rule", id);
    return row;
  }
}

/** The end of the address at which decisions come in; null where the channel takes none. */
function keyOf({ channel }: Pick<Editable, "channel">): string | null {
  return isDeciding(channel) ? randomBytes(KEY_BYTES).toString("base64url") : null;
}

function invalid(path: string, message: string, fix: string): OvenError {
  return new OvenError("INVALID_NOTIFICATION_RULE", message, { status: 400, path, fix });
}
