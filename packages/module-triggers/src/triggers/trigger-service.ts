import {
  isObject,
  type JsonObject,
  type ListParams,
  mayUseWorkflow,
  notFound,
  OvenError,
  type Principal,
} from "@oven/contract";
import type { CreateTrigger, Trigger, TriggerTarget, UpdateTrigger } from "@oven/contract/trigger";
import type { Clock, Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { compileGuard, compileValue, ExpressionSyntaxError } from "@oven/engine";
import { findVisible, listRows, requirePermission, type ServiceMap } from "@oven/module-registry";
import { triggers } from "../schema.ts";
import { arrivingOf, checkShaping } from "../shaping/check-shaping.ts";
import { dropHeld } from "../shaping/held-rows.ts";
import { checkInput, inputProblem } from "./check-input.ts";
import type { TriggerCatalog } from "./trigger-catalog.ts";
import { type TriggerRow, toTrigger } from "./trigger-row.ts";
import { hashToken, TriggerTokens } from "./trigger-tokens.ts";

export interface TriggerServiceDeps {
  db: Database;
  services: ServiceMap;
  catalog: TriggerCatalog;
  clock: Clock;
  /** After a row changed: look at the clock and at events anew. */
  onChange(): Promise<void>;
}

/** Triggers as people see and change them. */
export class TriggerService {
  readonly #deps: TriggerServiceDeps;
  readonly #tokens: TriggerTokens;

  constructor(deps: TriggerServiceDeps) {
    this.#deps = deps;
    this.#tokens = new TriggerTokens(deps.services.secrets.sealed, deps.db);
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Trigger[]; total: number }> {
    const { id, name, type, enabled, targetKind, workflowId, dueAt, createdAt, updatedAt, tenantId } = triggers;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: triggers,
      fields: { id, name, type, enabled, kind: targetKind, workflowId, dueAt, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: rows.map((row) => this.#shown(row, principal)), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<Trigger> {
    return this.#shown(await this.row(principal, id), principal);
  }

  async row(principal: Principal, id: number): Promise<TriggerRow> {
    const row = await findVisible(this.#deps.db.orm, triggers, principal, id);
    if (row === undefined) throw notFound("trigger", id);
    return row;
  }

  /** @throws OvenError TRIGGER_TYPE_UNKNOWN, INVALID_TRIGGER, NOT_FOUND for the workflow, FORBIDDEN */
  async create(principal: Principal, body: CreateTrigger): Promise<Trigger> {
    const { type, name, enabled, target, filter, input, shaping, overlap, overlapCountsPaused } = body;
    const payloadSchema = await this.#requireTarget(principal, target);
    const definition = this.#deps.catalog.get(type);
    checkRules(body);
    checkShaping(shaping, definition);
    const handed = { input, arriving: arrivingOf(definition, shaping) };
    if (enabled) checkInput(handed, payloadSchema);
    const { config, dueAt } = await this.#check(principal, type, body.config, enabled);
    const [row] = await this.#deps.db.orm
      .insert(triggers)
      .values({
        tenantId: principal.tenantId,
        type,
        name,
        enabled,
        targetKind: target.kind,
        workflowId: target.workflowId,
        config,
        filter,
        input,
        problem: inputProblem(handed, payloadSchema) ?? null,
        shaping,
        overlap,
        overlapCountsPaused,
        ...starterOf(principal),
        ...(definition.hasToken ? this.#tokens.make(principal.tenantId) : {}),
        dueAt,
      })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    await this.changed();
    return this.#shown(row, principal);
  }

  /** The principal that saves a trigger lends it their permissions from then on. @throws as `create`, NOT_FOUND */
  async update(principal: Principal, id: number, body: UpdateTrigger): Promise<Trigger> {
    const current = await this.row(principal, id);
    const target = body.target ?? { kind: current.targetKind, workflowId: current.workflowId };
    const payloadSchema = await this.#requireTarget(principal, target);
    checkRules(body);
    const enabled = body.enabled ?? current.enabled;
    const definition = this.#deps.catalog.find(current.type);
    const shaping = body.shaping === undefined ? current.shaping : body.shaping;
    checkShaping(shaping, definition);
    const handed = {
      input: body.input === undefined ? current.input : body.input,
      arriving: arrivingOf(definition, shaping),
    };
    if (enabled) checkInput(handed, payloadSchema);
    const isTimed = body.config !== undefined || enabled !== current.enabled;
    const timed = isTimed ? await this.#check(principal, current.type, body.config ?? current.config, enabled) : {};
    const { name, filter, input, overlap, overlapCountsPaused } = body;
    const changed = Object.fromEntries(
      Object.entries({ name, filter, input, overlap, overlapCountsPaused }).filter(([, value]) => value !== undefined),
    );
    const row = await this.#deps.db.transaction(async (tx) => {
      const [updated] = await tx.orm
        .update(triggers)
        .set({
          ...changed,
          ...timed,
          // What was remembered belongs to the settings before.
          ...(body.config === undefined ? {} : { state: {} }),
          enabled,
          shaping,
          problem: inputProblem(handed, payloadSchema) ?? null,
          targetKind: target.kind,
          workflowId: target.workflowId,
          ...starterOf(principal),
          updatedAt: sql`now()`,
        })
        .where(and(eq(triggers.id, id), eq(triggers.tenantId, principal.tenantId)))
        .returning();
      if (updated !== undefined && !enabled) await dropHeld(tx, id);
      return updated;
    });
    if (row === undefined) throw notFound("trigger", id);
    await this.changed();
    return this.#shown(row, principal);
  }

  /** A new address; the one before is unknown from then on. @throws OvenError NOT_FOUND, INVALID_TRIGGER without an address */
  async renewToken(principal: Principal, id: number): Promise<Trigger> {
    const { tokenHash } = await this.row(principal, id);
    if (tokenHash === null) {
      throw new OvenError("INVALID_TRIGGER", "This kind of trigger has no address of its own", { status: 400 });
    }
    const [row] = await this.#deps.db.orm
      .update(triggers)
      .set(this.#tokens.make(principal.tenantId))
      .where(and(eq(triggers.id, id), eq(triggers.tenantId, principal.tenantId)))
      .returning();
    if (row === undefined) throw notFound("trigger", id);
    return this.#shown(row, principal);
  }

  /** By what its address ends with. Called without row-level security: no principal is known yet. */
  async ofToken(type: string, token: string): Promise<TriggerRow | undefined> {
    const [row] = await this.#deps.db.system.orm
      .select()
      .from(triggers)
      .where(and(eq(triggers.tokenHash, hashToken(token)), eq(triggers.type, type)));
    return row;
  }

  /** With its deliveries; its runs stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    const gone = await this.#deps.db.orm
      .delete(triggers)
      .where(and(eq(triggers.id, id), eq(triggers.tenantId, principal.tenantId)))
      .returning({ id: triggers.id });
    if (gone.length === 0) throw notFound("trigger", id);
    await this.changed();
  }

  /** Those of a workflow that was deleted. */
  async deleteOf(target: TriggerTarget): Promise<void> {
    const { kind, workflowId } = target;
    await this.#deps.db.orm
      .delete(triggers)
      .where(and(eq(triggers.targetKind, kind), eq(triggers.workflowId, workflowId)));
    await this.changed();
  }

  /** Waits until what was changed is known here. What belongs to a joint transaction is not yet: call it again once that has ended. */
  async changed(): Promise<void> {
    const known = this.#deps.onChange();
    if (!this.#deps.db.isJoint) await known;
  }

  #shown(row: TriggerRow, principal: Principal): Trigger {
    return toTrigger(row, principal, this.#tokens);
  }

  /** The settings with their defaults, and when it fires first. A switched-off one is not due. */
  async #check(
    { tenantId }: Principal,
    type: string,
    given: JsonObject,
    enabled: boolean,
  ): Promise<{ config: JsonObject; dueAt: Date | null }> {
    const definition = this.#deps.catalog.get(type);
    const config = this.#deps.catalog.parse(definition, given);
    if (!enabled) return { config, dueAt: null };
    const now = await this.#deps.clock();
    const { value } = await this.#deps.services.config.resolve({
      module: "module-triggers",
      key: "TRIGGER_MINIMUM_INTERVAL_SECONDS",
      tenantId,
    });
    const minimumSeconds = Number(value);
    definition.check?.(config, { now, minimumSeconds });
    return { config, dueAt: definition.clock?.first(config, now) ?? null };
  }

  /** A person starts by a trigger only what they may start directly. Answers what the workflow takes. */
  async #requireTarget(principal: Principal, { kind, workflowId }: TriggerTarget): Promise<JsonObject | undefined> {
    const { workflows } = this.#deps.services.workflowPlatform.face(kind);
    if (!mayUseWorkflow(principal, kind, workflowId)) throw notFound(kind, workflowId);
    const { definition } = await workflows.get(principal, String(workflowId));
    const wanted = `${kind}s.execute`;
    requirePermission(principal, wanted);
    if (principal.userId !== null) return isObject(definition.payloadSchema) ? definition.payloadSchema : undefined;
    throw new OvenError("FORBIDDEN", "A trigger runs in the name of a user, and these credentials are nobody's", {
      status: 403,
    });
  }
}

/** Whose permissions its runs have: those of the principal that saves it, a key's or program's scopes included. */
function starterOf({ userId, keyId, through, permissions }: Principal) {
  return {
    runsAs: userId,
    runsWithKey: keyId ?? through?.keyId ?? null,
    runsWithApp: through?.app ?? null,
    granted: permissions,
  };
}

/** @throws OvenError INVALID_TRIGGER with the place */
function checkRules({ filter, input }: Pick<UpdateTrigger, "filter" | "input">): void {
  const attempt = (path: string, compile: () => unknown) => {
    try {
      compile();
    } catch (cause) {
      if (!(cause instanceof ExpressionSyntaxError)) throw cause;
      throw new OvenError("INVALID_TRIGGER", cause.message, { status: 400, path, fix: cause.fix, cause });
    }
  };
  if (filter != null) attempt("$.filter", () => compileGuard(filter));
  if (input != null) attempt("$.input", () => compileValue(input));
}
