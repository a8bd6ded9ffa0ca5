import type { SchedulePreview } from "@oven/contract/trigger";
import { type Clock, databaseClock } from "@oven/db";
import { defineModule, type Listener, type ModuleDefinition, type SelectiveListener } from "@oven/module-registry";
import { toSigningKey } from "@oven/module-workflows";
import { deliveryGauges } from "./deliveries/delivery-gauges.ts";
import { DeliveryIntake } from "./deliveries/delivery-intake.ts";
import { addDeliveryRetention, retentionConfigKeys } from "./deliveries/delivery-retention.ts";
import { DeliveryService } from "./deliveries/delivery-service.ts";
import { EventIntake } from "./deliveries/event-intake.ts";
import { TriggerHost } from "./deliveries/trigger-host.ts";
import { TriggerStarter } from "./deliveries/trigger-starter.ts";
import { formRoutes } from "./forms/form.routes.ts";
import { FormIntake } from "./forms/form-intake.ts";
import { mcpTriggerRoutes } from "./mcp/mcp.routes.ts";
import { McpIntake } from "./mcp/mcp-intake.ts";
import { protectedTriggers } from "./mcp/protected-triggers.ts";
import { menuItems, resources } from "./menu.ts";
import { personData } from "./person-data.ts";
import { describeSchedule } from "./schedules/describe-schedule.ts";
import { readSchedule } from "./schedules/read-schedule.ts";
import { scheduleRoutes } from "./schedules/schedule.routes.ts";
import * as schema from "./schema.ts";
import { EventSender } from "./subscriptions/event-sender.ts";
import { subscriptionPermissions, subscriptionRoutes } from "./subscriptions/subscription.routes.ts";
import { SubscriptionIntake } from "./subscriptions/subscription-intake.ts";
import { SubscriptionService } from "./subscriptions/subscription-service.ts";
import { type TriggerRouteDeps, triggerPermissions, triggerRoutes } from "./triggers/trigger.routes.ts";
import { TriggerCatalog } from "./triggers/trigger-catalog.ts";
import { TriggerService } from "./triggers/trigger-service.ts";
import { triggerEvents, UnusableTriggers } from "./triggers/unusable-triggers.ts";
import { triggerTypes } from "./types/trigger-types.ts";
import { webhookRoutes } from "./webhooks/webhook.routes.ts";
import { WebhookIntake } from "./webhooks/webhook-intake.ts";
import { wiringRoutes } from "./wirings/wiring.routes.ts";
import { WiringService } from "./wirings/wiring-service.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    triggers: TriggersService;
  }
}

export interface TriggersService {
  /** Triggers, for modules whose own documents have some. They check no permission but that to start the workflow. */
  rows: Pick<TriggerService, "create" | "update" | "get" | "delete" | "list">;
  types: Pick<TriggerCatalog, "list" | "get" | "parse">;
  /** What a schedule in words, an instant or a cron expression means exactly. @throws OvenError INVALID_TRIGGER */
  preview(text: string, timezone: string): Promise<SchedulePreview>;
  /** Fires what is due and works on what arrived; exposed for simulations, the module does it by itself. */
  tick(): Promise<void>;
  /** After rows changed in a joint transaction: look at the clock anew. */
  wake(): void;
}

export interface TriggersOptions {
  /** Default: the database's clock. */
  clock?: Clock;
}

/** What the runtime starts, and what routes ask. */
interface Parts extends TriggerRouteDeps {
  clock: Clock;
  host: TriggerHost;
  eventIntake: EventIntake;
  webhooks: WebhookIntake;
  forms: FormIntake;
  mcp: McpIntake;
  unusable: UnusableTriggers;
  publicUrl: string;
  sender: EventSender;
  subscriptionIntake: SubscriptionIntake;
  subscriptions: SubscriptionService;
  wirings: WiringService;
}

const ENDED = ["completed", "failed", "cancelled"];

/** What starts workflows by itself. */
export function createTriggersModule({ clock: givenClock }: TriggersOptions = {}): ModuleDefinition {
  let state: Parts | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-triggers was not started by a runtime");
    return state;
  };
  const onDeleted =
    (kind: "workflow" | "agent-workflow"): Listener =>
    async ({ payload }) => {
      if (typeof payload.id === "number") await ready().triggers.deleteOf({ kind, workflowId: payload.id });
    };
  // Each way of publishing tells of it, that of an earlier version included.
  const onUpdated =
    (kind: "workflow" | "agent-workflow"): Listener =>
    async ({ payload }) => {
      if (typeof payload.id === "number") await ready().unusable.check({ kind, workflowId: payload.id });
    };
  // What was queued behind a run may start. Triggers start theirs in the name of a person, never of a key, and say what they are.
  const onEnded: SelectiveListener = {
    handle: async ({ actor }) => {
      if (actor.kind !== "api-key") await ready().host.wakeQueued();
    },
    concerns: ({ actor, run }) => actor.kind !== "api-key" && run?.triggerEvent !== null,
  };
  return defineModule({
    name: "module-triggers",
    namespace: "triggers",
    description:
      "What starts workflows by itself: schedules, events, and by hand; with filters, overlap and a log of deliveries.",
    dependencies: ["module-registry", "module-roles", "module-workflows"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [...triggerPermissions, ...subscriptionPermissions],
    triggers: triggerTypes,
    personData,
    gauges: deliveryGauges,
    configSchema: [
      {
        key: "TRIGGER_MINIMUM_INTERVAL_SECONDS",
        type: "number",
        description: "Seconds that lie at least between two firings of a schedule",
        defaultValue: 60,
      },
      ...retentionConfigKeys,
    ],
    resources,
    menuItems,
    events: {
      emits: triggerEvents,
      listeners: {
        "workflows.workflow.deleted": onDeleted("workflow"),
        "agents-workflow.workflow.deleted": onDeleted("agent-workflow"),
        "workflows.workflow.updated": onUpdated("workflow"),
        "agents-workflow.workflow.updated": onUpdated("agent-workflow"),
        ...Object.fromEntries(
          ["workflows", "agents-workflow"].flatMap((kind) =>
            ENDED.map((outcome) => [`${kind}.execution.${outcome}`, onEnded]),
          ),
        ),
      },
    },
    routes: [
      ...triggerRoutes(ready),
      ...scheduleRoutes(ready),
      ...webhookRoutes(ready),
      ...formRoutes(ready),
      ...mcpTriggerRoutes(ready),
      ...subscriptionRoutes(ready),
      ...wiringRoutes(ready),
    ],
    services: async ({ db, registry, services, environment }) => {
      const clock = givenClock ?? databaseClock(db.system);
      addDeliveryRetention(services.workflowPlatform);
      const catalog = new TriggerCatalog(registry);
      const starter = new TriggerStarter({ db: db.system, services, onHeld: () => host.wake() });
      const host = new TriggerHost({ db: db.system, services, catalog, starter, clock });
      const eventIntake = new EventIntake({ db: db.system, catalog, clock, onArrival: () => host.wake() });
      const onChange = () => {
        host.wake();
        return eventIntake.wanted.refreshQuietly();
      };
      const triggers = new TriggerService({ db, services, catalog, clock, onChange });
      const unusable = new UnusableTriggers({ db: db.system, services, catalog });
      const deliveries = new DeliveryService({ db, triggers, starter, host, catalog, clock });
      eventIntake.listen(services.events);
      const intake = new DeliveryIntake({ db: db.system, starter, host });
      const arriving = { services, triggers, starter, intake, clock };
      const webhooks = new WebhookIntake(arriving);
      const forms = new FormIntake(arriving);
      const { publicUrl, secret } = environment;
      services.access.protect(protectedTriggers(triggers));
      const mcp = new McpIntake({ ...arriving, db: db.system, publicUrl, signingKey: toSigningKey(secret) });
      const sender = new EventSender({ db: db.system, services, clock });
      const onEvent = () => sender.wake();
      const subscriptionIntake = new SubscriptionIntake({ db: db.system, services, clock, onArrival: onEvent });
      subscriptionIntake.listen(services.events);
      const onSubscriptionChange = () => {
        sender.wake();
        return subscriptionIntake.wanted.refreshQuietly();
      };
      const subscriptions = new SubscriptionService({ db, services, sender, clock, onChange: onSubscriptionChange });
      const wirings = new WiringService({ db, services, triggers });
      const sending = { sender, subscriptionIntake, subscriptions, wirings };
      state = {
        catalog,
        triggers,
        deliveries,
        host,
        eventIntake,
        clock,
        webhooks,
        forms,
        mcp,
        unusable,
        publicUrl,
        ...sending,
      };
      const tick = async () => {
        await host.tick();
        await sender.tick();
      };
      const preview = async (text: string, timezone: string) => {
        const now = await clock();
        return describeSchedule(await readSchedule(text, timezone, now), now, 1);
      };
      return { triggers: { rows: triggers, types: catalog, preview, tick, wake: () => host.wake() } };
    },
    start: async ({ environment }) => {
      const { host, sender, eventIntake, subscriptionIntake } = ready();
      await eventIntake.wanted.start();
      await subscriptionIntake.wanted.start();
      if (environment.worker?.enabled === false) return;
      host.start();
      sender.start();
    },
    stop: async () => {
      const { host, sender, eventIntake, subscriptionIntake } = ready();
      eventIntake.wanted.stop();
      subscriptionIntake.wanted.stop();
      await Promise.all([host.stop(), sender.stop()]);
    },
  });
}
