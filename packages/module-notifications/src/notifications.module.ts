import type { NotificationKind, WorkflowNotify } from "@oven/contract/system";
import type { Queryable } from "@oven/db";
import { type Clock, databaseClock } from "@oven/db";
import {
  defineModule,
  type Listener,
  type ModuleDefinition,
  type SelectiveListener,
  type ServiceMap,
  WorkLoop,
} from "@oven/module-registry";
import { z } from "zod";
import { createMailSender, type MailSender, type MailSettings } from "./channels/mail-sender.ts";
import { AccountLinks } from "./decisions/links/account-links.ts";
import { linkedAccountRoutes } from "./decisions/links/linked-account.routes.ts";
import { MailReplies } from "./decisions/mail/mail-replies.ts";
import { ReplyCodes } from "./decisions/mail/reply-codes.ts";
import { readReplyMailbox, replyVariables } from "./decisions/mail/reply-mailbox.ts";
import type { MessengersFace } from "./decisions/messengers-face.ts";
import { Presses } from "./decisions/presses.ts";
import { ReviewPosts } from "./decisions/review-posts.ts";
import { readSlackRequest } from "./decisions/slack/read-slack-request.ts";
import { slackRoutes } from "./decisions/slack/slack.routes.ts";
import { callSlack, uploadToSlack } from "./decisions/slack/slack-api.ts";
import { createSlackChannel } from "./decisions/slack/slack-channel.ts";
import { SlackIntake } from "./decisions/slack/slack-intake.ts";
import { teamsRoutes } from "./decisions/teams/teams.routes.ts";
import { TeamsApi } from "./decisions/teams/teams-api.ts";
import { createTeamsChannel } from "./decisions/teams/teams-channel.ts";
import { proofOf, TeamsIntake } from "./decisions/teams/teams-intake.ts";
import { TeamsProof } from "./decisions/teams/teams-proof.ts";
import { DeadlineWatch } from "./deliveries/deadline-watch.ts";
import { deliveryRoutes } from "./deliveries/delivery.routes.ts";
import { notificationGauges } from "./deliveries/delivery-gauges.ts";
import { DeliveryService } from "./deliveries/delivery-service.ts";
import { NotificationHost } from "./deliveries/notification-host.ts";
import { Sender } from "./deliveries/sender.ts";
import { inboxRoutes } from "./inbox/inbox.routes.ts";
import { InboxService } from "./inbox/inbox-service.ts";
import { NotificationIntake } from "./intake/notification-intake.ts";
import { menuItems, resources } from "./menu.ts";
import { toResetMail } from "./messages/reset-mail.ts";
import { KnownEnds, type RunEnd } from "./notify/known-ends.ts";
import { workflowNotifyRoutes } from "./notify/workflow-notify.routes.ts";
import { type NotifyTarget, WorkflowNotifyRows } from "./notify/workflow-notify-rows.ts";
import { addNotificationRetention, DUE_SOON, notifyConfigKeys } from "./notify-config.ts";
import { notificationPermissions } from "./permissions.ts";
import { personData } from "./person-data.ts";
import { preferenceRoutes } from "./preferences/preference.routes.ts";
import { PreferenceService } from "./preferences/preference-service.ts";
import { ruleRoutes } from "./rules/rule.routes.ts";
import { RuleService } from "./rules/rule-service.ts";
import * as schema from "./schema.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    notifications: NotificationsService;
  }
}

export interface NotificationsService {
  /** Whether the person who started a run of a workflow is notified of its end. */
  workflowNotify(target: NotifyTarget): Promise<WorkflowNotify>;
  /** @param tx the transaction to write in, such as that of the workflow itself */
  setWorkflowNotify(tenantId: number, target: NotifyTarget, notify: WorkflowNotify, tx?: Queryable): Promise<void>;
  /** Sends what is due, looks at deadlines and reads replies; exposed for simulations, the module does it by itself. */
  tick(): Promise<void>;
}

export interface NotificationsOptions {
  /** The operator's mail server. Absent: no e-mail. */
  mail?: MailSettings;
  /** Default: the database's clock. */
  clock?: Clock;
  /** The clock that what is remembered ages by, in milliseconds. Default: this process's. */
  now?: () => number;
}

interface State {
  rules: RuleService;
  inbox: InboxService;
  preferences: PreferenceService;
  deliveries: DeliveryService;
  notify: WorkflowNotifyRows;
  intake: NotificationIntake;
  links: AccountLinks;
  slack: SlackIntake;
  teams: TeamsIntake;
  replies: WorkLoop | undefined;
  host: NotificationHost;
  mail: MailSender | undefined;
  publicUrl: string;
  services: ServiceMap;
}

/** Tells people and other systems what happened to runs and reviews. */
export function createNotificationsModule({
  mail: mailSettings,
  clock: givenClock,
  now = Date.now,
}: NotificationsOptions = {}): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-notifications was not started by a runtime");
    return state;
  };
  const tell =
    (kind: NotificationKind): Listener =>
    (event) =>
      ready().intake.take(kind, event);
  /** Of most runs nobody is told how they ended. */
  const tellEnd = (kind: RunEnd["kind"]): SelectiveListener => ({
    handle: tell(kind),
    concerns: (event) => ready().intake.concerns(kind, event),
  });
  const onDeleted =
    (kind: NotifyTarget["kind"]): Listener =>
    async ({ payload }) => {
      if (typeof payload.id !== "number") return;
      await ready().notify.delete({ kind, workflowId: payload.id });
      await ready().rules.deleteOf(kind, payload.id);
    };
  return defineModule({
    name: "module-notifications",
    namespace: "notifications",
    description: "Tells people and other systems what happened to runs and reviews, by rules.",
    dependencies: ["module-registry", "module-roles", "module-workflows"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: notificationPermissions,
    configSchema: notifyConfigKeys,
    variables: replyVariables,
    personData,
    gauges: notificationGauges,
    resources,
    menuItems,
    events: {
      emits: {
        [DUE_SOON]: z
          .looseObject({
            reviewId: z.int(),
            executionId: z.int(),
            nodeId: z.string(),
            title: z.string(),
            assignees: z.array(z.string()),
            dueAt: z.string(),
          })
          .describe("When the deadline of an open review is near"),
      },
      listeners: {
        ...Object.fromEntries(
          ["workflows", "agents-workflow"].flatMap((namespace) => [
            [`${namespace}.execution.completed`, tellEnd("run.completed")],
            [`${namespace}.execution.failed`, tellEnd("run.failed")],
            [`${namespace}.workflow.canary-stopped`, tell("canary.stopped")],
            [`${namespace}.review.opened`, tell("review.opened")],
            [`${namespace}.review.escalated`, tell("review.assigned")],
            [`${namespace}.review.delegated`, tell("review.assigned")],
            [`${namespace}.review.advanced`, tell("review.assigned")],
          ]),
        ),
        [DUE_SOON]: tell("review.deadline"),
        // Of module-ai, where it is installed.
        "ai.budget.exhausted": tell("budget.exhausted"),
        // Of module-triggers, where it is installed.
        "triggers.trigger.unusable": tell("trigger.unusable"),
        // Of module-mcp-connections, where it is installed.
        "mcp-connections.tool.changed": tell("mcp-tool.changed"),
        // Of module-api-connections, where it is installed.
        "api-connections.operation.changed": tell("api-operation.changed"),
        // Of module-a2a, where it is installed.
        "a2a-connections.agent.changed": tell("a2a-agent.changed"),
        "roles.second-factor.reset": async ({ payload, tenantId }) => {
          const { mail, services } = ready();
          if (mail === undefined || typeof payload.userId !== "number") return;
          const person = await services.access.findPerson(payload.userId, tenantId);
          if (person !== undefined) await mail.tell(person.email, toResetMail(ready().publicUrl));
        },
        "workflows.workflow.deleted": onDeleted("workflow"),
        "agents-workflow.workflow.deleted": onDeleted("agent-workflow"),
      },
    },
    routes: [
      ...inboxRoutes(ready),
      ...preferenceRoutes(ready),
      ...ruleRoutes(ready),
      ...deliveryRoutes(ready),
      ...workflowNotifyRoutes(ready),
      ...linkedAccountRoutes(ready),
      ...slackRoutes(ready),
      ...teamsRoutes(ready),
    ],
    services: async ({ db, services, registry, environment }) => {
      const { system } = db;
      const clock = givenClock ?? databaseClock(system);
      addNotificationRetention(services.workflowPlatform);
      const mail = mailSettings && createMailSender(mailSettings, environment.publicUrl);
      const onChange = (isJoint: boolean) => ends.forget(isJoint);
      const notify = new WorkflowNotifyRows(system, onChange);
      const ends = new KnownEnds(notify, now);
      const ofTeams = { services, environment, now };
      const teamsApi = new TeamsApi(ofTeams);
      const channels = {
        "slack-app": createSlackChannel({ services, environment }),
        teams: createTeamsChannel(teamsApi),
      };
      const posts = new ReviewPosts({ db: system, services, environment, channels });
      const codes = new ReplyCodes({ db: system });
      const mailbox = readReplyMailbox(environment, mail !== undefined);
      const onDecided = () => host.wake();
      const replies =
        mailbox &&
        mail &&
        new MailReplies({ db: system, services, registry, environment, clock, mailbox, mail, codes, onDecided });
      const links = new AccountLinks({ db, clock });
      const presses = new Presses({ db, services, registry, environment, links, posts, onDecided });
      const host: NotificationHost = new NotificationHost({
        db: system,
        clock,
        sender: new Sender({ db: system, services, environment, mail, posts, replies }),
        deadlines: new DeadlineWatch({ db: system, services }),
        posts,
        codes,
      });
      const onArrival = () => host.wake();
      const slack = new SlackIntake({ services, environment, clock, presses });
      const proof = new TeamsProof(ofTeams);
      const teams = new TeamsIntake({ db: system, services, environment, presses, posts, proof });
      const messengers: MessengersFace = {
        links,
        postReview: async (source, message, reviewId, thread) =>
          posts.post(source, message, reviewId, await clock(), thread),
        slack: {
          read: (source, request) => readSlackRequest({ services, clock, presses }, source, request),
          takePress: (source, request) => slack.takeFor(source, request),
          call: ({ tenantId, channel }, method, body, encoding) =>
            callSlack({ services, environment }, tenantId, channel, method, body, encoding),
          upload: ({ channel }, uploadUrl, data) => uploadToSlack({ services, environment }, channel, uploadUrl, data),
        },
        teams: {
          read: (source, request) => teams.read(source, request),
          takePress: (source, activity, request) => teams.takeActivity(source, activity, request),
          call: ({ tenantId, channel }, method, path, body) => teamsApi.call(tenantId, channel, method, path, body),
          proofOf: ({ channel }) => proofOf(channel),
        },
      };
      state = {
        rules: new RuleService({ db, services, onChange }),
        inbox: new InboxService({ db, clock }),
        preferences: new PreferenceService({ db }),
        deliveries: new DeliveryService({ db, clock, onArrival }),
        intake: new NotificationIntake({ db: system, services, clock, ends, onArrival }),
        links,
        slack,
        teams,
        replies: replies && new WorkLoop("reading replies to reviews", () => replies.look()),
        notify,
        host,
        mail,
        publicUrl: environment.publicUrl,
        services,
      };
      return {
        messengers,
        notifications: {
          workflowNotify: (target) => notify.of(target),
          setWorkflowNotify: (tenantId, target, said, tx) => notify.set(tenantId, target, said, tx),
          tick: async () => {
            await replies?.look();
            await host.tick();
          },
        },
      };
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled === false) return;
      ready().host.start();
      ready().replies?.start();
    },
    stop: async () => {
      const { host, slack, replies, mail } = ready();
      await replies?.stop();
      await slack.stop();
      await host.stop();
      mail?.close();
    },
  });
}
