import {
  DecideEmbedQuestionSchema,
  EmbedLookSchema,
  EmbedMessageSchema,
  EmbedSessionSchema,
  NewEmbedMessageSchema,
  StartEmbedSessionSchema,
} from "@oven/contract/embed";
import { withinTenant } from "@oven/db";
import { accepted, addressOf, defineRoute, noContent, ok, type Route, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import type { EmbedTargets } from "./embeds/embed-targets.ts";
import { toLook } from "./embeds/to-look.ts";
import type { ConversationRows } from "./messages/conversation-rows.ts";
import type { MessageService } from "./messages/message-service.ts";
import type { Visit, VisitorService } from "./visitors/visitor-service.ts";

const Params = z.object({ publicId: z.string().max(60) });
const MessageParams = Params.extend({ id: z.coerce.number().int().positive() });
const BODY_LIMIT = 131_072;

export interface VisitorRouteDeps {
  targets: EmbedTargets;
  visitors: VisitorService;
  messages: MessageService;
  rows: ConversationRows;
}

/** What pages of other sites ask. No cookie counts here: who asks says so with a token, and the browser says from which origin. */
export function visitorRoutes(deps: () => VisitorRouteDeps): Route[] {
  const crossOrigin: Route["crossOrigin"] = ({ params, request }) =>
    deps().visitors.admittedOrigin(params.publicId ?? "", request);
  const shared = { operation: false, access: "public", crossOrigin } as const;
  const visited = async <T>(publicId: string, request: Request, work: (visit: Visit) => Promise<T>): Promise<T> => {
    const visit = await deps().visitors.of(publicId, request);
    return withinTenant(visit.embed.tenantId, () => work(visit));
  };
  const admit = (services: ServiceMap, request: Request, publicId: string) =>
    services.requestLimits?.admitStranger(addressOf(request), `embed ${publicId}`);
  return [
    defineRoute({
      ...shared,
      method: "GET",
      path: "embed/[publicId]",
      summary: "How an embed looks, for a page that shows it",
      effect: "pure",
      params: Params,
      response: EmbedLookSchema,
      handler: async ({ params, request }) => {
        const { embed } = await deps().visitors.enter(params.publicId, request);
        return ok(await withinTenant(embed.tenantId, () => toLook(deps().targets, embed)));
      },
    }),
    defineRoute({
      ...shared,
      method: "POST",
      path: "embed/[publicId]/sessions",
      summary: "Begin or renew the session of a visitor; the token is for this origin, for 15 minutes",
      effect: "at-least-once",
      params: Params,
      body: StartEmbedSessionSchema,
      bodyLimit: BODY_LIMIT,
      response: EmbedSessionSchema,
      handler: async ({ params, body, request, services }) => {
        const { visitors } = deps();
        const entered = await visitors.enter(params.publicId, request);
        await admit(services, request, params.publicId);
        return ok(await visitors.begin(entered, body.visitor));
      },
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: "embed/[publicId]/messages",
      summary: "The messages of the visitor's conversation",
      effect: "pure",
      params: Params,
      response: z.array(EmbedMessageSchema),
      handler: ({ params, request }) =>
        visited(params.publicId, request, async (visit) => ok(await deps().messages.list(visit))),
    }),
    defineRoute({
      ...shared,
      method: "POST",
      path: "embed/[publicId]/messages",
      summary: "Say something, or send the answers of a form; once per key",
      effect: "idempotent",
      params: Params,
      body: NewEmbedMessageSchema,
      bodyLimit: BODY_LIMIT,
      response: EmbedMessageSchema,
      handler: ({ params, body, request, services }) =>
        visited(params.publicId, request, async (visit) => {
          await admit(services, request, params.publicId);
          return accepted(await deps().messages.say(visit, body));
        }),
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: "embed/[publicId]/messages/[id]/stream",
      summary: "The answer of a message as it is written, as server-sent events: `text`, `message`, `closed`",
      params: MessageParams,
      handler: ({ params, request, signal }) =>
        visited(params.publicId, request, (visit) => deps().messages.stream(visit, params.id, signal)),
    }),
    defineRoute({
      ...shared,
      method: "POST",
      path: "embed/[publicId]/messages/[id]/decisions",
      summary: "Answer what the run of a message asks, where the embed lets visitors do so",
      effect: "idempotent",
      params: MessageParams,
      body: DecideEmbedQuestionSchema,
      bodyLimit: BODY_LIMIT,
      response: EmbedMessageSchema,
      handler: ({ params, body, request }) =>
        visited(params.publicId, request, async (visit) => ok(await deps().messages.decide(visit, params.id, body))),
    }),
    defineRoute({
      ...shared,
      method: "POST",
      path: "embed/[publicId]/conversations",
      summary: "Begin another conversation with the next message",
      effect: "idempotent",
      params: Params,
      handler: ({ params, request }) =>
        visited(params.publicId, request, async (visit) => {
          await deps().rows.close(visit);
          return noContent();
        }),
    }),
  ];
}
