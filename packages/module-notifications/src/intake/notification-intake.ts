import type { EventEnvelope } from "@oven/contract";
import {
  type NotificationChannel,
  type NotificationKind,
  type NotificationPreferences,
  NotificationPreferencesSchema,
  type NotificationRecipient,
  type NotificationScope,
} from "@oven/contract/system";
import type { Clock, Database } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import type { ServiceMap, UnwrittenEvent } from "@oven/module-registry";
import { type Message, renderMessage } from "../messages/render.ts";
import { hasRule, type KnownEnds, notifiesStarter, type RunEnd } from "../notify/known-ends.ts";
import type { NotifyTarget } from "../notify/workflow-notify-rows.ts";
import { readUnassigned } from "../notify-config.ts";
import { afterQuietHours, mailTime } from "../preferences/send-time.ts";
import type { RuleRow } from "../rules/rule-row.ts";
import { notificationDeliveries, notificationPreferences, notificationRules, notifications } from "../schema.ts";
import { FindPeople, type Person } from "./find-people.ts";
import { type Happening, kindOfRun, readFacts } from "./read-facts.ts";

export interface IntakeDeps {
  db: Database;
  services: ServiceMap;
  clock: Clock;
  ends: KnownEnds;
  /** Something is to be sent. */
  onArrival(): void;
}

type NewNotification = typeof notifications.$inferInsert;
type NewDelivery = typeof notificationDeliveries.$inferInsert;

/**
 * Shown in the dashboard although no rule says so: to those who are asked, to the starter of a run, as its workflow says, to the
 * owner of a trigger, to those who began a candidate, and to those who may approve a tool.
 */
const OF_REVIEWS = { key: "reviews", recipients: [{ kind: "assignees" }] } as const;
const OF_TRIGGERS = { key: "triggers", recipients: [{ kind: "starter" }] } as const;
const OF_CANARIES = { key: "canaries", recipients: [{ kind: "starter" }] } as const;
const OF_RUNS = { key: "workflow-notify", recipients: [{ kind: "starter" }] } as const;
const OF_TOOLS = {
  key: "mcp-tools",
  recipients: [{ kind: "permitted", permission: "mcp-connections.approve" }],
} as const;

const OF_OPERATIONS = {
  key: "api-operations",
  recipients: [{ kind: "permitted", permission: "api-connections.approve" }],
} as const;

const OF_AGENTS = {
  key: "a2a-agents",
  recipients: [{ kind: "permitted", permission: "a2a-connections.approve" }],
} as const;

type BuiltIn =
  | typeof OF_REVIEWS
  | typeof OF_CANARIES
  | typeof OF_RUNS
  | typeof OF_TRIGGERS
  | typeof OF_TOOLS
  | typeof OF_OPERATIONS
  | typeof OF_AGENTS;

/** Turns an event into messages: one for each rule and recipient, however often the event is delivered. */
export class NotificationIntake {
  readonly #deps: IntakeDeps;
  readonly #people: FindPeople;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    this.#people = new FindPeople(deps);
  }

  /** False: nobody is told of it, as far as is known here. */
  concerns(kind: RunEnd["kind"], { name, tenantId, payload, run }: UnwrittenEvent): boolean {
    // Nobody is told of parts of a run.
    if (run !== undefined && run.parentId !== null) return false;
    return this.#deps.ends.mayTell(workflowOf({ name, payload }), tenantId, { kind, outcome: payload.outcome });
  }

  async take(kind: NotificationKind, event: EventEnvelope): Promise<void> {
    const { db, services, clock } = this.#deps;
    const { builtIn, isRuled } = await this.#builtIn(kind, event);
    const rules = isRuled ? await this.#rules(kind, event) : [];
    if (rules.length === 0 && builtIn === undefined) return;
    const happening = await readFacts({ db, services }, kind, event);
    if (happening === undefined) return;
    const wanted = rules.filter(({ scope }) => isInScope(scope, happening));
    const now = await clock();
    const plan = await this.#plan(event.tenantId, wanted, builtIn, happening, now);
    await this.#write(plan);
    if (plan.deliveries.length > 0) this.#deps.onArrival();
  }

  /** Those that were there when it happened: an event that is delivered anew, later, does not go to newer ones. */
  async #rules(kind: NotificationKind, { tenantId, at }: EventEnvelope): Promise<RuleRow[]> {
    const rows = await this.#deps.db.orm
      .select()
      .from(notificationRules)
      .where(and(eq(notificationRules.tenantId, tenantId), eq(notificationRules.enabled, true)))
      .orderBy(notificationRules.id);
    return rows.filter(({ events, createdAt }) => events.includes(kind) && createdAt.getTime() <= Date.parse(at));
  }

  /** Who is told without a rule, and whether there may be rules: most runs end where there are none, and nobody is told. */
  async #builtIn(
    kind: NotificationKind,
    event: EventEnvelope,
  ): Promise<{ builtIn: BuiltIn | undefined; isRuled: boolean }> {
    if (kind === "review.opened" || kind === "review.deadline" || kind === "review.assigned")
      return { builtIn: OF_REVIEWS, isRuled: true };
    if (kind === "trigger.unusable") return { builtIn: OF_TRIGGERS, isRuled: true };
    if (kind === "canary.stopped") return { builtIn: OF_CANARIES, isRuled: true };
    if (kind === "mcp-tool.changed") return { builtIn: OF_TOOLS, isRuled: true };
    if (kind === "api-operation.changed") return { builtIn: OF_OPERATIONS, isRuled: true };
    if (kind === "a2a-agent.changed") return { builtIn: OF_AGENTS, isRuled: true };
    if (kind === "budget.exhausted") return { builtIn: undefined, isRuled: true };
    const said = await this.#deps.ends.read(workflowOf(event), event.tenantId);
    const end: RunEnd = { kind, outcome: event.payload.outcome };
    return { builtIn: notifiesStarter(said, end) ? OF_RUNS : undefined, isRuled: hasRule(said, end) };
  }

  async #plan(
    tenantId: number,
    rules: readonly RuleRow[],
    builtIn: BuiltIn | undefined,
    happening: Happening,
    now: Date,
  ): Promise<{ notifications: NewNotification[]; deliveries: NewDelivery[] }> {
    const plan = { notifications: [] as NewNotification[], deliveries: [] as NewDelivery[] };
    const told = new Set<number>();
    const tellInApp = async (key: string, people: readonly Person[], message: Message): Promise<void> => {
      const wishes = await this.#preferences(people);
      for (const { id } of people) {
        told.add(id);
        if (wishes.get(id)?.kinds[happening.facts.kind]?.inApp === false) continue;
        plan.notifications.push(toNotification(tenantId, key, id, message, happening, now));
      }
    };
    for (const rule of rules) {
      const message = renderMessage(rule, happening.facts);
      const { channel, recipients } = rule;
      if (channel.type === "in-app") {
        await tellInApp(`rule:${rule.id}`, await this.#people.of(tenantId, recipients, happening), message);
        continue;
      }
      if (channel.type === "email") {
        plan.deliveries.push(
          ...(await this.#mails(rule, await this.#people.of(tenantId, recipients, happening), message, happening, now)),
        );
        continue;
      }
      const nextAttemptAt = afterQuietHours(rule.quietHours, rule.timezone, now);
      plan.deliveries.push({
        ...toDelivery(rule, message, happening, now),
        channel: channel.type,
        recipient: addressOf(channel),
        nextAttemptAt,
      });
    }
    if (builtIn !== undefined) {
      const people = await this.#people.of(tenantId, builtIn.recipients, happening);
      // Whom a rule tells has no need of a second entry.
      const others = people.filter(({ id }) => !told.has(id));
      await tellInApp(builtIn.key, others, renderMessage({ subject: null, text: null }, happening.facts));
    }
    return plan;
  }

  async #mails(
    rule: RuleRow,
    people: readonly Person[],
    message: Message,
    happening: Happening,
    now: Date,
  ): Promise<NewDelivery[]> {
    const wishes = await this.#preferences(people);
    const plain = NotificationPreferencesSchema.parse({});
    const { review } = happening.facts;
    // Everybody who may decide is asked: each gets what came in one mail, unless they gather for longer.
    const isForAll = review !== null && review.assignees.length === 0 && rule.recipients.some(isAssignees);
    const gathered = isForAll ? await readUnassigned(this.#deps.services.config, rule.tenantId) : "none";
    return people.map(({ id, email }) => {
      const own = wishes.get(id) ?? plain;
      const wish = own.digest === "none" ? { ...own, digest: gathered } : own;
      const isWanted = wish.kinds[happening.facts.kind]?.email !== false;
      return {
        ...toDelivery(rule, message, happening, now),
        channel: "email" as const,
        recipient: email,
        userId: id,
        digest: wish.digest !== "none",
        nextAttemptAt: mailTime(wish, now),
        ...(isWanted ? {} : { status: "skipped" as const, reason: "The person does not want mail about this" }),
      };
    });
  }

  async #preferences(people: readonly Person[]): Promise<Map<number, NotificationPreferences>> {
    if (people.length === 0) return new Map();
    const ids = people.map(({ id }) => id);
    const rows = await this.#deps.db.orm
      .select()
      .from(notificationPreferences)
      .where(inArray(notificationPreferences.userId, ids));
    return new Map(rows.map(({ userId, preferences }) => [userId, preferences]));
  }

  async #write(plan: { notifications: NewNotification[]; deliveries: NewDelivery[] }): Promise<void> {
    if (plan.notifications.length + plan.deliveries.length === 0) return;
    await this.#deps.db.transaction(async (tx) => {
      if (plan.notifications.length > 0)
        await tx.orm.insert(notifications).values(plan.notifications).onConflictDoNothing();
      if (plan.deliveries.length > 0)
        await tx.orm.insert(notificationDeliveries).values(plan.deliveries).onConflictDoNothing();
    });
  }
}

function workflowOf({ name, payload }: Pick<EventEnvelope, "name" | "payload">): NotifyTarget {
  const kind = kindOfRun(name);
  return { kind, workflowId: Number(payload[kind === "workflow" ? "workflowId" : "agentWorkflowId"]) };
}

function isInScope(scope: NotificationScope, { facts }: Happening): boolean {
  return scope.kind === "all" || (scope.kind === facts.workflow?.kind && scope.workflowId === facts.workflow.id);
}

function toNotification(
  tenantId: number,
  ruleKey: string,
  userId: number,
  message: Message,
  { facts, eventKey }: Happening,
  createdAt: Date,
): NewNotification {
  return {
    tenantId,
    userId,
    ruleKey,
    eventKey,
    kind: facts.kind,
    ...message,
    link: facts.link,
    executionKind: facts.execution === null ? null : (facts.workflow?.kind ?? null),
    executionId: facts.execution?.id ?? null,
    reviewId: facts.review?.id ?? null,
    createdAt,
  };
}

function toDelivery(rule: RuleRow, message: Message, { facts, eventKey }: Happening, createdAt: Date) {
  return {
    tenantId: rule.tenantId,
    ruleId: rule.id,
    ruleKey: `rule:${rule.id}`,
    eventKey,
    kind: facts.kind,
    reviewId: facts.review?.id ?? null,
    ...message,
    link: facts.link,
    facts,
    createdAt,
  };
}

/** Where a message goes, for the log. */
function addressOf(channel: Exclude<NotificationChannel, { type: "in-app" | "email" }>): string {
  if (channel.type === "webhook") return new URL(channel.url).host;
  return channel.type === "slack" ? channel.host : channel.conversation;
}

function isAssignees({ kind }: NotificationRecipient): boolean {
  return kind === "assignees";
}
