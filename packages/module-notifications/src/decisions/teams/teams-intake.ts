import { isOvenError, OvenError, readJson } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { addressOf, limitBody, ok, type Reply, type RuntimeEnvironment, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { shorten } from "../../messages/shorten.ts";
import type { DecisionSource } from "../decision-source.ts";
import { toProof } from "../links/account-links.ts";
import type { Press, Presses, PrivateAnswer } from "../presses.ts";
import type { ReviewPosts } from "../review-posts.ts";
import { toShownLine } from "../review-text.ts";
import { readShownReview } from "../shown-review.ts";
import type { TeamsBot } from "./teams-api.ts";
import { APPROVE, REASON, REJECT, toReviewCard } from "./teams-card.ts";
import type { TeamsProof } from "./teams-proof.ts";

export interface TeamsIntakeDeps {
  db: Queryable;
  services: ServiceMap;
  environment: Pick<RuntimeEnvironment, "publicUrl">;
  presses: Presses;
  posts: ReviewPosts;
  proof: TeamsProof;
}

const MAX_BODY_BYTES = 262_144;
const LONGEST_NAME = 80;

const Activity = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  serviceUrl: z.string().max(500),
  channelId: z.literal("msteams"),
});

export type TeamsActivity = z.output<typeof Activity>;

/** A press on a button of a card. https://learn.microsoft.com/adaptive-cards/authoring-cards/universal-action-model */
const Invoke = Activity.extend({
  type: z.literal("invoke"),
  name: z.literal("adaptiveCard/action"),
  from: z.looseObject({ name: z.string().optional(), aadObjectId: z.string().min(1).max(64).optional() }),
  conversation: z.looseObject({ tenantId: z.string().optional() }),
  value: z.looseObject({
    action: z.looseObject({
      verb: z.enum([APPROVE, REJECT]),
      data: z.looseObject({
        review: z.int().positive(),
        digest: z.string().max(128),
        [REASON]: z.string().max(3_000).optional(),
      }),
    }),
  }),
});

/** Takes presses on the buttons of cards in Microsoft Teams. */
export class TeamsIntake {
  readonly #deps: TeamsIntakeDeps;

  constructor(deps: TeamsIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * @param key the end of the rule's own address
   * @throws OvenError NOT_FOUND, SIGNATURE_INVALID 401, BODY_TOO_LARGE 413, INVALID_REQUEST
   */
  async take(key: string, request: Request): Promise<Reply> {
    const source = await this.#deps.presses.ruleOf(key, "teams", request);
    return this.takeActivity(source, await this.read(source, request), request);
  }

  /**
   * An activity that the Bot Connector has sent to this bot.
   * @throws OvenError SIGNATURE_INVALID 401, BODY_TOO_LARGE 413, INVALID_REQUEST
   */
  async read({ channel }: DecisionSource<"teams">, request: Request): Promise<TeamsActivity> {
    const { proof, services } = this.#deps;
    const body = await (await limitBody(request, MAX_BODY_BYTES)).text();
    const activity = readActivity(body);
    try {
      await proof.check(request.headers.get("authorization"), channel, activity.serviceUrl);
    } catch (error) {
      if (isOvenError(error) && error.status === 401) await services.requestLimits?.refused(addressOf(request));
      throw error;
    }
    return activity;
  }

  /** Decides where it is a press; anything else is answered with nothing. */
  async takeActivity(source: DecisionSource<"teams">, activity: TeamsActivity, request: Request): Promise<Reply> {
    const { presses } = this.#deps;
    const invoke = Invoke.safeParse(activity).data;
    // Such as that the bot was added to a channel.
    if (invoke === undefined) return ok({});
    const { action } = invoke.value;
    const { review, digest } = action.data;
    const press: Press = {
      source,
      outside: toOutside(invoke, source.channel),
      name: shorten(toShownLine(invoke.from.name ?? invoke.from.aadObjectId ?? ""), LONGEST_NAME),
      carried: { review, digest },
      request,
    };
    const person = await presses.personOf(press);
    const decision =
      action.verb === APPROVE
        ? { action: "approve" as const }
        : { action: "reject" as const, reason: action.data[REASON] ?? "" };
    const answer =
      typeof person === "number" ? await presses.decide(press, person, decision, "from Microsoft Teams") : person;
    return ok(await this.#answer(source, review, answer));
  }

  /** The card as it is now, for the person alone; everybody else gets it with the next change of the message. */
  async #answer(source: DecisionSource, reviewId: number, answer: PrivateAnswer | undefined): Promise<object> {
    const { db, services, environment, posts } = this.#deps;
    const { tenantId, timezone } = source;
    const { publicUrl } = environment;
    const words = await posts.wordsOf(source, reviewId);
    const review = words && (await readShownReview({ db, services, publicUrl }, { tenantId, reviewId, timezone }));
    if (words === undefined || review === undefined) {
      const value = answer?.text ?? "Decided.";
      return { statusCode: 200, type: "application/vnd.microsoft.activity.message", value };
    }
    const value = toReviewCard(words, review, answer);
    return { statusCode: 200, type: "application/vnd.microsoft.card.adaptive", value };
  }
}

function readActivity(body: string): TeamsActivity {
  try {
    return Activity.parse(readJson(body).value);
  } catch (cause) {
    throw new OvenError("INVALID_REQUEST", "This is not an activity of Microsoft Teams", {
      status: 400,
      fix: "Set this address as the messaging endpoint of an Azure bot with the channel Microsoft Teams.",
      cause,
    });
  }
}

/** How accounts are known that this bot's requests name. */
export function proofOf({ appId, keysHost }: TeamsBot): string {
  return toProof("teams", appId, keysHost);
}

/** People of the bot's own directory only: a guest's id means something in another one. */
function toOutside({ from, conversation }: z.output<typeof Invoke>, bot: TeamsBot): Press["outside"] {
  const { aadObjectId: account } = from;
  const { directory } = bot;
  if (account === undefined || conversation.tenantId !== directory) return undefined;
  return { provider: "teams", workspace: directory, account, proof: proofOf(bot) };
}
