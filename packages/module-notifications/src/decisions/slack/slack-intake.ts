import { isOvenError, OvenError } from "@oven/contract";
import type { Clock, Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import {
  addressOf,
  checkSignature,
  limitBody,
  type RegistryView,
  type Reply,
  type RuntimeEnvironment,
  type ServiceMap,
  styleOf,
  within,
} from "@oven/module-registry";
import type { RuleRow } from "../../rules/rule-row.ts";
import { notificationRules } from "../../schema.ts";
import { type Act, decideAs } from "../decide-as.ts";
import { type AccountLinks, type OutsideAccount, toProof } from "../links/account-links.ts";
import type { ReviewPosts } from "../review-posts.ts";
import { shorten, toShownLine } from "../review-text.ts";
import { callSlack, respondToSlack, type SlackApp } from "./slack-api.ts";
import { escapeSlack, toReasonWindow, toRefusalWindow } from "./slack-blocks.ts";
import { type Interaction, type Press, readInteraction, type Submission } from "./slack-payload.ts";

export interface SlackIntakeDeps {
  db: Database;
  services: ServiceMap;
  registry: RegistryView;
  environment: Pick<RuntimeEnvironment, "publicUrl" | "outboundAllow">;
  clock: Clock;
  links: AccountLinks;
  posts: ReviewPosts;
  /** A review was decided: its messages are to be changed. */
  onDecided(): void;
}

const MAX_BODY_BYTES = 262_144;
/** Slack's own recommendation. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const WINDOW_SECONDS = 300;
/** Slack shows an error unless it is answered within three seconds. */
const ANSWER_WITHIN_MS = 2_000;
/** Requests that are read at once; their bodies are in memory. */
const MOST_AT_ONCE = 100;
const LONGEST_NAME = 80;

const SLACK = styleOf({ style: "slack", secret: "signing" });

interface Asking {
  rule: RuleRow;
  app: SlackApp;
  request: Request;
  /** Digest of the signing secret that the request was proved with. */
  proof: string;
}

/** Takes presses on the buttons of messages in Slack. */
export class SlackIntake {
  readonly #deps: SlackIntakeDeps;
  /** What goes on after its answer. */
  readonly #working = new Set<Promise<void>>();
  #atOnce = 0;

  constructor(deps: SlackIntakeDeps) {
    this.#deps = deps;
  }

  /** Waits for what goes on after its answer. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#working);
  }

  /**
   * @param key the end of the rule's own address
   * @throws OvenError NOT_FOUND, SIGNATURE_INVALID 401, TIMESTAMP_REFUSED 401, BODY_TOO_LARGE 413, TOO_MANY_REQUESTS 429, INVALID_REQUEST
   */
  async take(key: string, request: Request): Promise<Reply> {
    const { services } = this.#deps;
    const found = await this.#find(key);
    if (found === undefined) {
      services.requestLimits?.refused(addressOf(request));
      throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
    }
    if (this.#atOnce + this.#working.size >= MOST_AT_ONCE) throw comeLater();
    this.#atOnce++;
    let interaction: { read: Interaction; proof: string } | undefined;
    try {
      interaction = await this.#read(found, request);
    } finally {
      this.#atOnce--;
    }
    if (interaction === undefined) return { status: 200 };
    return this.#perform(interaction.read, { ...found, request, proof: interaction.proof });
  }

  /** Answers in time. What takes longer goes on, and is said below the message. */
  async #perform(interaction: Interaction, asking: Asking): Promise<Reply> {
    let isAnswered = false;
    let window: object | undefined;
    const perform = async (): Promise<void> => {
      const text = await this.#answer(interaction, asking);
      if (text === undefined) return;
      if (interaction.does === "reject" && !isAnswered) window = toRefusalWindow(text);
      else await this.#say(asking, interaction, text);
    };
    const work = perform().catch((error: unknown) => this.#report(asking.rule, error));
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
    await within(work, ANSWER_WITHIN_MS);
    isAnswered = true;
    return window === undefined ? { status: 200 } : { status: 200, body: { response_action: "update", view: window } };
  }

  async #find(key: string): Promise<{ rule: RuleRow; app: SlackApp } | undefined> {
    const [rule] = await this.#deps.db.system.orm
      .select()
      .from(notificationRules)
      .where(eq(notificationRules.decisionsKey, key));
    return rule?.enabled === true && rule.channel.type === "slack-app" ? { rule, app: rule.channel } : undefined;
  }

  async #read(
    { rule, app }: { rule: RuleRow; app: SlackApp },
    request: Request,
  ): Promise<{ read: Interaction; proof: string } | undefined> {
    const { services, clock } = this.#deps;
    const limited = await limitBody(request, MAX_BODY_BYTES);
    const body = new Uint8Array(await limited.arrayBuffer());
    const secret = await this.#signingSecret(rule.tenantId, app);
    if (SLACK === undefined) throw new Error("there is no style of signature for Slack");
    try {
      checkSignature(
        SLACK,
        secret,
        { headers: request.headers, body },
        { now: await clock(), windowSeconds: WINDOW_SECONDS },
      );
    } catch (error) {
      if (isOvenError(error) && error.status === 401) services.requestLimits?.refused(addressOf(request));
      throw error;
    }
    const read = readInteraction(body);
    return read && { read, proof: toProof("slack", app.host, secret) };
  }

  async #signingSecret(tenantId: number, { signingSecret }: SlackApp): Promise<string> {
    try {
      return await this.#deps.services.secrets.signingKey(tenantId, `secret:${signingSecret.$secret}`);
    } catch (cause) {
      if (!isOvenError(cause)) throw cause;
      // Which secrets there are is nothing for strangers.
      throw new OvenError("DELIVERY_REFUSED", "This cannot be checked at present", { status: 422, cause });
    }
  }

  /** What the person alone is told; undefined: the message itself says it. */
  async #answer(interaction: Interaction, asking: Asking): Promise<string | undefined> {
    const { rule, request, proof } = asking;
    const { carried } = interaction;
    const from = interaction.does === "reject" ? interaction.submission : interaction.press;
    if (!(await this.#deps.posts.isPosted(rule, carried.review))) return "OVEN no longer knows this message.";
    const outside = toOutside(from, proof);
    if (outside === undefined) return "Slack did not say in which workspace your account is.";
    const userId = await this.#deps.links.userOf(rule.tenantId, outside);
    if (userId === undefined) return this.#offerLink(asking, outside, nameOf(from));
    if (interaction.does === "ask-reason") return this.#askReason(asking, interaction);
    const { review: reviewId, digest } = carried;
    const decision: Act["decision"] =
      interaction.does === "approve"
        ? { action: "approve", digest }
        : { action: "reject", digest, reason: interaction.reason };
    try {
      const act = { tenantId: rule.tenantId, userId, reviewId, decision, request, said: "from Slack" };
      const outcome = await decideAs(this.#deps, act);
      if (!outcome.taken) return `Not decided. ${outcome.why}`;
      return outcome.review.status === "open" ? "Your approval counts. Others must approve it, too." : undefined;
    } catch (error) {
      this.#report(rule, error);
      return "OVEN could not take your decision just now. Try again, or open the review in OVEN.";
    } finally {
      this.#deps.onDecided();
    }
  }

  async #offerLink({ rule }: Asking, outside: OutsideAccount, name: string): Promise<string> {
    const token = await this.#deps.links.offer(rule.tenantId, outside, name);
    const address = `${this.#deps.environment.publicUrl}/link-account/${token}`;
    return `Nothing was decided: OVEN does not know yet who you are. Open ${address} within 15 minutes, sign in and confirm that this Slack account is yours. Then press the button again. Do not give the address to anyone.`;
  }

  async #askReason(
    asking: Asking,
    { press, carried }: Extract<Interaction, { does: "ask-reason" }>,
  ): Promise<undefined> {
    const { rule, app } = asking;
    const window = toReasonWindow(
      `Review ${carried.review}`,
      JSON.stringify({ ...carried, responseUrl: press.response_url ?? "" }),
    );
    await callSlack(this.#deps, rule.tenantId, app, "views.open", { trigger_id: press.trigger_id ?? "", view: window });
    return undefined;
  }

  /** Says something to the person alone, below the message. */
  async #say({ app }: Asking, interaction: Interaction, text: string): Promise<void> {
    const responseUrl =
      interaction.does === "reject" ? interaction.carried.responseUrl : interaction.press.response_url;
    if (responseUrl === undefined || responseUrl === "") return;
    const message = { response_type: "ephemeral", replace_original: false, text: escapeSlack(text) };
    await respondToSlack(this.#deps, app, responseUrl, message);
  }

  #report({ tenantId, id }: RuleRow, error: unknown): void {
    const { secrets } = this.#deps.services;
    console.error(`a press on a button in Slack, of rule ${id}:`, secrets.redactError(tenantId, error));
  }
}

/** An account belongs to its own workspace, which may be another one than that of the channel. */
function toOutside({ user, team }: Press | Submission, proof: string): OutsideAccount | undefined {
  const workspace = user.team_id ?? team?.id;
  return workspace === undefined ? undefined : { provider: "slack", workspace, account: user.id, proof };
}

function nameOf({ user, team }: Press | Submission): string {
  const name = user.username ?? user.name ?? user.id;
  const place = team?.domain === undefined ? "" : ` (${team.domain})`;
  return shorten(toShownLine(name + place), LONGEST_NAME);
}

function comeLater(): OvenError {
  return new OvenError("TOO_MANY_REQUESTS", "Too much comes at once", {
    status: 429,
    retryAfterMs: 1_000,
    fix: "Wait a moment, then press the button again.",
  });
}
