import { OvenError } from "@oven/contract";
import type { Clock } from "@oven/db";
import { type Reply, type RuntimeEnvironment, type ServiceMap, within } from "@oven/module-registry";
import { escapeSlack } from "../../channels/escape-slack.ts";
import { shorten } from "../../messages/shorten.ts";
import type { DecisionSource } from "../decision-source.ts";
import type { OutsideAccount } from "../links/account-links.ts";
import type { Presses, PrivateAnswer, Press as TakenPress } from "../presses.ts";
import { toShownLine } from "../review-text.ts";
import { readSlackRequest } from "./read-slack-request.ts";
import { callSlack, respondToSlack, type SlackApp } from "./slack-api.ts";
import { toReasonWindow, toRefusalWindow } from "./slack-blocks.ts";
import { type Interaction, type Press, readInteraction, type Submission } from "./slack-payload.ts";

export interface SlackIntakeDeps {
  services: ServiceMap;
  environment: Pick<RuntimeEnvironment, "outboundAllow">;
  clock: Clock;
  presses: Presses;
}

/** Slack shows an error unless it is answered within three seconds. */
const ANSWER_WITHIN_MS = 2_000;
/** Requests that are read at once; their bodies are in memory. */
const MOST_AT_ONCE = 100;
const LONGEST_NAME = 80;

interface Asking {
  source: DecisionSource;
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
    return this.takeFor(await this.#deps.presses.ruleOf(key, "slack-app", request), request);
  }

  /** The same for one that is known. @throws OvenError as `take` */
  async takeFor(source: DecisionSource<"slack-app">, request: Request): Promise<Reply> {
    if (this.#atOnce + this.#working.size >= MOST_AT_ONCE) throw comeLater();
    this.#atOnce++;
    let read: { interaction: Interaction; proof: string } | undefined;
    try {
      read = await this.#read(source, request);
    } finally {
      this.#atOnce--;
    }
    if (read === undefined) return { status: 200 };
    return this.#perform(read.interaction, { source, app: source.channel, request, proof: read.proof });
  }

  /** Answers in time. What takes longer goes on, and is said below the message. */
  async #perform(interaction: Interaction, asking: Asking): Promise<Reply> {
    let isAnswered = false;
    let window: object | undefined;
    const perform = async (): Promise<void> => {
      const answer = await this.#answer(interaction, asking);
      if (answer === undefined) return;
      const text = answer.link === undefined ? answer.text : `${answer.text} ${answer.link}`;
      if (interaction.does === "reject" && !isAnswered) window = toRefusalWindow(text);
      else await this.#say(asking, interaction, text);
    };
    const work = perform().catch((error: unknown) => this.#deps.presses.report(asking.source, error));
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
    await within(work, ANSWER_WITHIN_MS);
    isAnswered = true;
    return window === undefined ? { status: 200 } : { status: 200, body: { response_action: "update", view: window } };
  }

  async #read(
    source: DecisionSource<"slack-app">,
    request: Request,
  ): Promise<{ interaction: Interaction; proof: string } | undefined> {
    const { body, proof } = await readSlackRequest(this.#deps, source, request);
    const interaction = readInteraction(body);
    return interaction && { interaction, proof };
  }

  async #answer(interaction: Interaction, { source, app, request, proof }: Asking): Promise<PrivateAnswer | undefined> {
    const { presses } = this.#deps;
    const from = interaction.does === "reject" ? interaction.submission : interaction.press;
    const { review, digest } = interaction.carried;
    const outside = toOutside(from, proof);
    const press: TakenPress = { source, outside, name: nameOf(from), carried: { review, digest }, request };
    const person = await presses.personOf(press);
    if (typeof person !== "number") return person;
    if (interaction.does === "ask-reason") return this.#askReason(source, app, interaction);
    const decision =
      interaction.does === "approve"
        ? { action: "approve" as const }
        : { action: "reject" as const, reason: interaction.reason };
    return presses.decide(press, person, decision, "from Slack");
  }

  async #askReason(
    { tenantId }: DecisionSource,
    app: SlackApp,
    { press, carried }: Extract<Interaction, { does: "ask-reason" }>,
  ): Promise<undefined> {
    const back = JSON.stringify({ ...carried, responseUrl: press.response_url ?? "" });
    const view = toReasonWindow(`Review ${carried.review}`, back);
    await callSlack(this.#deps, tenantId, app, "views.open", { trigger_id: press.trigger_id ?? "", view });
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
