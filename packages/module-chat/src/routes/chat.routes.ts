import {
  ChatMessageSchema,
  ChatSessionSchema,
  ChatTargetSchema,
  ChatThumbSchema,
  NewChatMessageSchema,
  NewChatSessionSchema,
  RateChatMessageSchema,
  RetryChatMessageSchema,
  UpdateChatSessionSchema,
} from "@oven/contract/agent";
import { RunEventSchema } from "@oven/contract/run";
import {
  accepted,
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  readIdempotencyKey,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { type ChatSessionService, toSession } from "../sessions/chat-session-service.ts";
import type { TargetService } from "../targets/target-service.ts";
import type { TurnService } from "../turns/turn-service.ts";
import type { TurnThumbs } from "../turns/turn-thumbs.ts";

const id = z.coerce.number().int().positive();
const Params = z.object({ id });
const MessageParams = z.object({ id, messageId: id });
const access = { permission: "chats.use" };

interface Deps {
  targets: TargetService;
  sessions: ChatSessionService;
  turns: TurnService;
  thumbs: TurnThumbs;
}

/** Everybody's own chats. None is an operation: what people say in a chat is not for agents to read or to say. */
export function chatRoutes(deps: () => Deps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "chat-targets",
      operation: false,
      summary: "Agents and workflows that you may talk to; of a workflow that cannot be talked to as it is, why",
      access,
      effect: "pure",
      query: z.object({ q: z.string().max(200).optional() }),
      response: z.array(ChatTargetSchema),
      handler: async ({ principal, query }) => ok(await deps().targets.list(principal, query.q)),
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions",
      operation: false,
      summary: "List your chats",
      access,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(ChatSessionSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().sessions.list(principal, params);
        return listReply("chat-sessions", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "chat-sessions",
      operation: false,
      summary: "Begin a chat with an agent or a workflow",
      description: "400 `INVALID_INPUT` with what to do where a workflow cannot be talked to as `mapping` says.",
      access,
      effect: "at-least-once",
      body: NewChatSessionSchema,
      response: ChatSessionSchema,
      handler: async ({ principal, body }) => created(await deps().sessions.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]",
      operation: false,
      summary: "Get a chat",
      access,
      effect: "pure",
      params: Params,
      response: ChatSessionSchema,
      handler: async ({ principal, params }) => ok(toSession(await deps().sessions.get(principal, params.id))),
    }),
    defineRoute({
      method: "PUT",
      path: "chat-sessions/[id]",
      operation: false,
      summary: "Give a chat another title, or its next messages other parameters",
      access,
      effect: "idempotent",
      params: Params,
      body: UpdateChatSessionSchema,
      response: ChatSessionSchema,
      handler: async ({ principal, params, body }) => ok(await deps().sessions.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "chat-sessions/[id]",
      operation: false,
      summary: "Delete a chat with all that was said; its runs stay",
      access,
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().sessions.delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]/messages",
      operation: false,
      summary: 'What was said and what came of it, oldest first; `sort=["id","DESC"]` for the newest first',
      access,
      effect: "pure",
      params: Params,
      query: ListQuerySchema,
      response: z.array(ChatMessageSchema),
      handler: async ({ principal, params, query }) => {
        const { sessions, turns } = deps();
        const list = toListParams(query);
        const oldestFirst = await turns.list(principal, await sessions.get(principal, params.id));
        const all = list.sort.order === "DESC" ? oldestFirst.toReversed() : oldestFirst;
        const page = all.slice(list.range.first, list.range.last + 1);
        return listReply("messages", list, page, all.length);
      },
    }),
    defineRoute({
      method: "POST",
      path: "chat-sessions/[id]/messages",
      operation: false,
      summary: "Say something: starts a run",
      description:
        "202 and the message; its answer comes by `stream`, and stands in `messages`. With an `Idempotency-Key` the same request again is the same message. 409 `CONVERSATION_BUSY` while the answer before is still made.",
      access,
      effect: "at-least-once",
      params: Params,
      body: NewChatMessageSchema,
      response: ChatMessageSchema,
      handler: async ({ principal, params, body, request }) => {
        const { sessions, turns } = deps();
        const session = await sessions.get(principal, params.id);
        const { turn, replayed } = await turns.say(principal, session, body.message, readIdempotencyKey(request));
        return accepted(turn, replayed ? { "idempotency-replayed": "true" } : {});
      },
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]/messages/[messageId]",
      operation: false,
      summary: "One message and what came of it",
      access,
      effect: "pure",
      params: MessageParams,
      response: ChatMessageSchema,
      handler: async ({ principal, params }) => {
        const { sessions, turns } = deps();
        return ok(await turns.get(principal, await sessions.get(principal, params.id), params.messageId));
      },
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]/messages/[messageId]/events",
      operation: false,
      summary: "What was written, called and asked on the way to an answer",
      access,
      effect: "pure",
      params: MessageParams,
      response: z.array(RunEventSchema),
      handler: async ({ principal, params }) => {
        const { sessions, turns } = deps();
        return ok(await turns.events(await sessions.get(principal, params.id), params.messageId));
      },
    }),
    defineRoute({
      method: "POST",
      path: "chat-sessions/[id]/messages/[messageId]/retry",
      operation: false,
      summary: "Ask the newest message once more; the new run takes the place of `executionId`",
      access,
      effect: "idempotent",
      params: MessageParams,
      body: RetryChatMessageSchema,
      response: ChatMessageSchema,
      handler: async ({ principal, params, body }) => {
        const { sessions, turns } = deps();
        const session = await sessions.get(principal, params.id);
        return accepted(await turns.retry(principal, session, params.messageId, body.executionId));
      },
    }),
    defineRoute({
      method: "POST",
      path: "chat-sessions/[id]/messages/[messageId]/stop",
      operation: false,
      summary: "Stop the run of a message",
      access,
      effect: "idempotent",
      params: MessageParams,
      response: ChatMessageSchema,
      handler: async ({ principal, params, signal }) => {
        const { sessions, turns } = deps();
        const session = await sessions.get(principal, params.id);
        return ok(await turns.stop(principal, session, params.messageId, signal));
      },
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]/thumbs",
      operation: false,
      summary: "What you think of the answers, by message",
      access,
      effect: "pure",
      params: Params,
      response: z.array(ChatThumbSchema),
      handler: async ({ principal, params }) => {
        const { sessions, thumbs } = deps();
        return ok(await thumbs.list(principal, await sessions.get(principal, params.id)));
      },
    }),
    defineRoute({
      method: "PUT",
      path: "chat-sessions/[id]/messages/[messageId]/thumb",
      operation: false,
      summary: "Say what you think of an answer: a score of its run",
      access,
      effect: "idempotent",
      params: MessageParams,
      body: RateChatMessageSchema,
      response: ChatThumbSchema,
      handler: async ({ principal, params, body }) => {
        const { sessions, thumbs } = deps();
        const session = await sessions.get(principal, params.id);
        return ok(await thumbs.rate(principal, session, params.messageId, body));
      },
    }),
    defineRoute({
      method: "GET",
      path: "chat-sessions/[id]/stream",
      operation: false,
      summary: "The chat as server-sent events, from what goes on now or after `Last-Event-ID`; stays open",
      description:
        "`turn` (a message, as `messages` has it) when its run begins and when it has ended; between them the events of the run, each with `root`, the run of the message.",
      access,
      params: Params,
      handler: async ({ principal, params, request, signal }) => {
        const { sessions, turns } = deps();
        const session = await sessions.get(principal, params.id);
        return turns.stream(principal, session, request.headers.get("last-event-id"), signal);
      },
    }),
  ];
}
