import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Json, type JsonObject, markDeceptive, type Principal } from "@oven/contract";
import type { McpEnvelope } from "@oven/contract/mcp";
import { z } from "zod";
import type { ReviewService } from "../reviews/review-service.ts";

/** What comes back with an answer: it says which review was shown, so that no other one is decided. */
const AskedSchema = z.strictObject({ executionId: z.int(), reviewId: z.int(), digest: z.string() });
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

/** Longer proposals are shown in the dashboard. */
const LONGEST_PROPOSAL = 4_000;
/** After that the client asks again with `get_run`. */
const ANSWER_WITHIN_SECONDS = 24 * 60 * 60;

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

  /** Undefined: there is nothing to ask, the client cannot ask its user, or this principal may not decide it. */
  async question(envelope: McpEnvelope, context: ServerContext): Promise<InputRequiredResult | undefined> {
    const { pending, run } = envelope;
    if (pending === undefined || !this.#canAsk(context)) return undefined;
    const { reviewId, title, proposal, warning, actions, digest } = pending;
    const { mayDecide } = await this.#reviews.get(this.#principal, reviewId);
    if (!mayDecide) return undefined;
    const requestState = await this.#codec.mint({ executionId: run.id, reviewId, digest }, context);
    const review = inputRequired.elicit({
      message: [title, markDeceptive(toText(proposal)), ...(warning === undefined ? [] : [warning])].join("\n\n"),
      requestedSchema: toForm(proposal, actions),
    });
    return inputRequired({ inputRequests: { review }, requestState });
  }

  /** What was answered before this call, if it is the second half of one. */
  read({ mcpReq }: ServerContext): { asked: Asked; answer: ReviewAnswer | undefined } | undefined {
    const state = mcpReq.requestState?.();
    if (state === undefined) return undefined;
    const asked = AskedSchema.parse(state);
    const given = acceptedContent(mcpReq.inputResponses, "review", AnswerSchema);
    if (given === undefined) return { asked, answer: undefined };
    const { action, reason, edited } = given;
    const { reviewId, digest } = asked;
    return {
      asked,
      answer: {
        reviewId,
        digest,
        action,
        ...(reason === undefined || reason === "" ? {} : { reason }),
        ...(action === "edit" && edited !== undefined ? { data: edited } : {}),
      },
    };
  }

  #canAsk({ mcpReq }: ServerContext): boolean {
    const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined; // cast: the SDK's type leaves its keys out
    return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? this.#inSession())?.elicitation !== undefined;
  }
}

type Form = Extract<Parameters<typeof inputRequired.elicit>[0]["requestedSchema"], { type: "object" }>;

/** Forms have plain fields only: a proposal that is text can be edited here, any other in the dashboard. */
function toForm(proposal: Json, actions: readonly string[]): Form {
  const isText = typeof proposal === "string" && proposal.length <= LONGEST_PROPOSAL;
  const offered = actions.filter((action) => action !== "edit" || isText);
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

function toText(proposal: Json): string {
  const text = typeof proposal === "string" ? proposal : JSON.stringify(proposal, null, 2);
  return text.length <= LONGEST_PROPOSAL ? text : `${text.slice(0, LONGEST_PROPOSAL)}…`;
}
