import { setTimeout as sleep } from "node:timers/promises";
import {
  acceptedContent,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  SdkError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonObject, Principal } from "@oven/contract";
import type { McpEnvelope, McpPending } from "@oven/contract/mcp";
import { violationsOf } from "@oven/engine";
import { z } from "zod";
import type { ReviewService } from "../reviews/review-service.ts";
import { capabilitiesOfRequest } from "./client-capabilities.ts";
import { LONGEST_PROPOSAL, toMessage } from "./review-words.ts";
import type { SeenRun } from "./run-calls.ts";

/**
 * What comes back with an answer: it says which review was shown, so that no other one is decided. `seq`: the place in the run's log up
 * to which the client has heard of progress.
 */
const AskedSchema = z.strictObject({
  executionId: z.int(),
  reviewId: z.int(),
  digest: z.string(),
  seq: z.int(),
  /** The user was asked to open a page of ours, and what they do there decides. */
  page: z.literal(true).optional(),
});
export type Asked = z.output<typeof AskedSchema>;

const AnswerSchema = z.object({
  action: z.string().min(1),
  reason: z.string().optional(),
  edited: z.string().optional(),
});

export interface ReviewAnswer extends JsonObject {
  reviewId: number;
  digest: string;
  action: string;
}

/** A question for the client's user about the review that a run waits for: a form, or a page of ours to open. */
export interface Question {
  asked: Asked;
  form: { message: string; requestedSchema: Form } | { message: string; url: string };
}

/** What the user of a client did: decided, or opened the page. */
export type Answered = { decision: ReviewAnswer } | { opened: number };

/** The same question for a client that follows the run as a task. */
export interface TaskQuestion {
  asked: Asked;
  request: ReturnType<typeof inputRequired.elicit>;
}

/** After that the client asks again with `get_run`. */
const ANSWER_WITHIN_SECONDS = 24 * 60 * 60;
/** How long an older client's call is held open for its user; after that it answers with what is pending. */
const HELD_OPEN_MS = 10 * 60_000;
/** How long a call waits for what its user does at a page. */
const AT_PAGE_MS = 50_000;
const LOOK_MS = 500;
/** Where clients that answer by themselves find the run that a question is about. */
export const ENVELOPE_META_KEY = "oven/envelope";

/**
 * Asks the person at the client for a decision, in the middle of the call. What the client hands back is signed,
 * holds for this principal only, and for one decision: the first one on a review wins.
 */
export class ReviewQuestions {
  readonly #principal: Principal;
  readonly #reviews: ReviewService;
  readonly #codec: ReturnType<typeof createRequestStateCodec<unknown>>;
  readonly #inSession: () => ClientCapabilities | undefined;

  /** @param inSession what the client of a session can do, which older revisions say once at its beginning */
  constructor(
    principal: Principal,
    { reviews, signingKey }: { reviews: ReviewService; signingKey: Uint8Array },
    inSession: () => ClientCapabilities | undefined,
  ) {
    const { kind, tenantId, userId, keyId } = principal;
    this.#principal = principal;
    this.#reviews = reviews;
    this.#inSession = inSession;
    this.#codec = createRequestStateCodec<unknown>({
      key: signingKey,
      ttlSeconds: ANSWER_WITHIN_SECONDS,
      bind: () => JSON.stringify([kind, tenantId, userId, keyId ?? null]),
    });
  }

  /** For the server's options: refuses state that was changed, is too old, or belongs to another client. */
  get verify(): (state: string, context: ServerContext) => Promise<unknown> {
    return (state, context) => this.#codec.verify(state, context);
  }

  /** Signs what other questions of this server hand out with them. */
  sign(state: unknown, context: ServerContext): Promise<string> {
    return this.#codec.mint(state, context);
  }

  /**
   * Undefined: there is nothing to ask, the client cannot ask its user, or this principal may not decide it.
   * @param seq see `Asked`
   */
  async question({ pending, run }: McpEnvelope, context: ServerContext, seq: number): Promise<Question | undefined> {
    if (pending === undefined) return undefined;
    const { reviewId, digest } = pending;
    const asked = { executionId: run.id, reviewId, digest, seq };
    const url = this.#can(context, "url") ? pageOf(pending) : undefined;
    const requestedSchema = url === undefined && this.#can(context, "form") ? toForm(pending) : undefined;
    if (url === undefined && requestedSchema === undefined) return undefined;
    const { mayDecide } = await this.#reviews.get(this.#principal, reviewId);
    if (!mayDecide) return undefined;
    if (requestedSchema === undefined && url !== undefined)
      return { asked: { ...asked, page: true }, form: { message: pending.title, url } };
    return requestedSchema && { asked, form: { message: toMessage(pending), requestedSchema } };
  }

  /** Waits until a review is decided elsewhere, for as long as a call may be open. */
  async untilDecided(reviewId: number, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < AT_PAGE_MS; waited += LOOK_MS) {
      const { status } = await this.#reviews.get(this.#principal, reviewId);
      if (status !== "open") return;
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  /**
   * All that the user of a client can be asked about a run that it follows as a task. The key names the proposal that is shown: an answer
   * to one that has changed since fits no question any more.
   */
  ofTask({ summary, pending }: SeenRun, context: ServerContext): Map<string, TaskQuestion> {
    const questions = new Map<string, TaskQuestion>();
    if (!this.#can(context, "form")) return questions;
    for (const { mayDecide, shown } of pending) {
      const form = mayDecide ? toForm(shown) : undefined;
      if (form === undefined) continue;
      const { reviewId, digest } = shown;
      questions.set(`review-${reviewId}-${digest}`, {
        asked: { executionId: summary.id, reviewId, digest, seq: 0 },
        request: inputRequired.elicit({ message: toMessage(shown), requestedSchema: form }),
      });
    }
    return questions;
  }

  /** What the client's user decided on a question of a task; undefined: nothing, or not yet. */
  answerTo(key: string, { asked }: TaskQuestion, { mcpReq }: ServerContext): ReviewAnswer | undefined {
    const given = acceptedContent(mcpReq.inputResponses, key, AnswerSchema);
    return given === undefined ? undefined : toAnswer(asked, given);
  }

  /** Whether the client of this request is one of revision 2026-07-28, which answers by calling again. */
  callsAgain(context: ServerContext): boolean {
    return capabilitiesOfRequest(context) !== undefined;
  }

  /** The answer that asks, for a client that calls again with what its user said. It carries the run, for one that does not. */
  async toInputRequired(
    { asked, form }: Question,
    envelope: McpEnvelope,
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const requestState = await this.#codec.mint(asked, context);
    const review = "url" in form ? inputRequired.elicitUrl(form) : inputRequired.elicit(form);
    const question = inputRequired({ inputRequests: { review }, requestState });
    return { ...question, _meta: { [ENVELOPE_META_KEY]: envelope } };
  }

  /**
   * Asks the user of an older client while its call is open. @returns undefined when nothing was decided: the user declined, or the client
   * could not ask, whatever it declared
   */
  async ask({ asked, form }: Question, { mcpReq }: ServerContext): Promise<Answered | undefined> {
    const options = { relatedRequestId: mcpReq.id, timeout: HELD_OPEN_MS, signal: mcpReq.signal };
    try {
      if ("url" in form) {
        const elicitationId = `review-${asked.reviewId}-${asked.digest}`;
        const { action } = await mcpReq.elicitInput({ mode: "url", elicitationId, ...form }, options);
        return action === "accept" ? { opened: asked.reviewId } : undefined;
      }
      const { action, content } = await mcpReq.elicitInput(form, options);
      const given = action === "accept" ? AnswerSchema.safeParse(content).data : undefined;
      return given === undefined ? undefined : { decision: toAnswer(asked, given) };
    } catch (error) {
      if (!(ProtocolError.isInstance(error) || SdkError.isInstance(error))) throw error;
      if (!mcpReq.signal.aborted) console.warn(`asking an MCP client about review ${asked.reviewId}: ${error.message}`);
      return undefined;
    }
  }

  /** What was answered before this call, if it is the second half of one. */
  read({ mcpReq }: ServerContext): { asked: Asked; answer: Answered | undefined } | undefined {
    const state = mcpReq.requestState?.();
    if (state === undefined) return undefined;
    const asked = AskedSchema.parse(state);
    if (asked.page === true) {
      const { success } = OpenedSchema.safeParse(mcpReq.inputResponses?.review);
      return { asked, answer: success ? { opened: asked.reviewId } : undefined };
    }
    const given = acceptedContent(mcpReq.inputResponses, "review", AnswerSchema);
    return { asked, answer: given && { decision: toAnswer(asked, given) } };
  }

  /** A form is asked for unless only other ways are named. */
  #can(context: ServerContext, way: "form" | "url"): boolean {
    const { elicitation } = capabilitiesOfRequest(context) ?? this.#inSession() ?? {};
    if (elicitation === undefined) return false;
    return elicitation[way] !== undefined || (way === "form" && Object.keys(elicitation).length === 0);
  }
}

function toAnswer(
  { reviewId, digest }: Asked,
  { action, reason, edited }: z.output<typeof AnswerSchema>,
): ReviewAnswer {
  return {
    reviewId,
    digest,
    action,
    ...(reason === undefined || reason === "" ? {} : { reason }),
    ...(action === "edit" && edited !== undefined ? { data: edited } : {}),
  };
}

const OpenedSchema = z.looseObject({ action: z.literal("accept") });
const LinkSchema = z.looseObject({ link: z.url() });

/** The page of ours where the user does what a tool asks for, such as connecting their account. */
export function pageOf({ context, url, actions }: McpPending): string | undefined {
  const { link } = LinkSchema.safeParse(context).data ?? {};
  return link !== undefined && actions.includes("submit") && URL.parse(link)?.origin === URL.parse(url)?.origin
    ? link
    : undefined;
}

type Form = Extract<Parameters<typeof inputRequired.elicit>[0]["requestedSchema"], { type: "object" }>;

/**
 * Forms have plain fields only: a proposal that is text can be edited here, any other in the dashboard. So can an answer with a form of its
 * own, which is not asked for here (undefined) unless what is proposed is one already.
 */
function toForm({ proposal, schema, actions }: McpPending): Form | undefined {
  const isAnswer = schema === null || violationsOf(schema, proposal, "$").length === 0;
  if (actions.includes("submit") && !isAnswer) return undefined;
  const isText = typeof proposal === "string" && proposal.length <= LONGEST_PROPOSAL;
  const offered = actions.filter((action) => action !== "supply" && (action !== "edit" || isText));
  return {
    type: "object",
    properties: {
      action: { type: "string", title: "Decision", enum: offered },
      ...(isText && actions.includes("edit")
        ? { edited: { type: "string", title: "Edited text", description: "For the decision edit", default: proposal } }
        : {}),
      reason: { type: "string", title: "Reason", description: "Required to reject" },
    },
    required: ["action"],
  };
}
