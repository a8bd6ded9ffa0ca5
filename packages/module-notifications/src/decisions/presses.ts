import { isOvenError, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { addressOf, type RegistryView, type RuntimeEnvironment, type ServiceMap } from "@oven/module-registry";
import { notificationRules } from "../schema.ts";
import { type Act, decideAs } from "./decide-as.ts";
import type { DecidingType } from "./decision-channel.ts";
import { type DecisionSource, toSource } from "./decision-source.ts";
import type { AccountLinks, OutsideAccount } from "./links/account-links.ts";
import type { ReviewPosts } from "./review-posts.ts";

export interface PressesDeps {
  db: Database;
  services: ServiceMap;
  registry: RegistryView;
  environment: Pick<RuntimeEnvironment, "publicUrl">;
  links: AccountLinks;
  posts: ReviewPosts;
  /** A review was decided: its messages are to be changed. */
  onDecided(): void;
}

/** A press on a button, once the service that sent it has been checked. */
export interface Press {
  source: DecisionSource;
  /** undefined: the service did not say whose press it is. */
  outside: OutsideAccount | undefined;
  /** What the account is called there. */
  name: string;
  /** Of the button. */
  carried: { review: number; digest: string };
  request: Request;
}

/** What the person alone is answered. `link`: the address at which they say who they are. */
export interface PrivateAnswer {
  text: string;
  link?: string;
}

/** What presses on buttons have in common, whichever messenger they come from. */
export class Presses {
  readonly #deps: PressesDeps;

  constructor(deps: PressesDeps) {
    this.#deps = deps;
  }

  /**
   * The rule whose address ends with this key, if it is on and of this type.
   * @throws OvenError NOT_FOUND, TOO_MANY_ATTEMPTS 429
   */
  async ruleOf<Type extends DecidingType>(key: string, type: Type, request: Request): Promise<DecisionSource<Type>> {
    const { decisionsKey } = notificationRules;
    const [rule] = await this.#deps.db.system.orm.select().from(notificationRules).where(eq(decisionsKey, key));
    if (rule?.enabled === true && rule.channel.type === type) return toSource(rule) as unknown as DecisionSource<Type>; // cast: the types of the channels are equal
    await this.#deps.services.requestLimits?.refused(addressOf(request));
    throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
  }

  /** The person whose press it is; else what they are answered. Nothing is decided. */
  async personOf({ source, outside, name, carried }: Press): Promise<number | PrivateAnswer> {
    const { posts, links, environment } = this.#deps;
    if ((await posts.wordsOf(source, carried.review)) === undefined)
      return { text: "OVEN no longer knows this message." };
    if (outside === undefined) return { text: "It was not said to which workspace your account belongs." };
    const userId = await links.userOf(source.tenantId, outside);
    if (userId !== undefined) return userId;
    const token = await links.offer(source.tenantId, outside, name);
    return {
      text: "Nothing was decided: OVEN does not know yet who you are. Open the address within 15 minutes, sign in and confirm that this account is yours. Then press the button again. Do not give the address to anyone.",
      link: `${environment.publicUrl}/link-account/${token}`,
    };
  }

  /**
   * Decides in the name of a person.
   * @param said of the audit log, such as `from Slack`
   * @returns undefined: the message itself says how the review ended
   */
  async decide(
    { source, carried, request }: Press,
    userId: number,
    decision: { action: "approve" } | { action: "reject"; reason: string },
    said: string,
  ): Promise<PrivateAnswer | undefined> {
    const { tenantId } = source;
    const { review: reviewId, digest } = carried;
    const act: Act = { tenantId, userId, reviewId, decision: { ...decision, digest }, request, said };
    try {
      const outcome = await decideAs(this.#deps, act);
      if (!outcome.taken) return { text: `Not decided. ${outcome.why}` };
      return outcome.review.status === "open"
        ? { text: "Your approval counts. Others must approve it, too." }
        : undefined;
    } catch (error) {
      this.report(source, error);
      return { text: "OVEN could not take your decision just now. Try again, or open the review in OVEN." };
    } finally {
      this.#deps.onDecided();
    }
  }

  /**
   * A secret that proves who sent a request.
   * @throws OvenError DELIVERY_REFUSED 422, which does not say which secrets there are
   */
  async signingKey(tenantId: number, { $secret }: { $secret: string }): Promise<string> {
    try {
      return await this.#deps.services.secrets.signingKey(tenantId, `secret:${$secret}`);
    } catch (cause) {
      if (!isOvenError(cause)) throw cause;
      throw new OvenError("DELIVERY_REFUSED", "This cannot be checked at present", { status: 422, cause });
    }
  }

  report({ kind, tenantId, id }: DecisionSource, error: unknown): void {
    const { secrets } = this.#deps.services;
    console.error(`a press on a button of a message of ${kind} ${id}:`, secrets.redactError(tenantId, error));
  }
}
