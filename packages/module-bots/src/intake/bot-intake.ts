import { OvenError } from "@oven/contract";
import { addressOf, ok, type Reply, type ServiceMap } from "@oven/module-registry";
import { type BotRow, slackSource, teamsSource } from "../bots/bot-row.ts";
import type { BotService } from "../bots/bot-service.ts";
import type { Inbox } from "./inbox.ts";
import { readSlackEvent } from "./slack-event.ts";
import { readTeamsMessage } from "./teams-message.ts";

/** Takes what messengers send. Each request proves for which bot it is; then it is written down and answered at once. */
export class BotIntake {
  readonly #services: ServiceMap;
  readonly #bots: BotService;
  readonly #inbox: Inbox;

  constructor({ services, bots, inbox }: { services: ServiceMap; bots: BotService; inbox: Inbox }) {
    this.#services = services;
    this.#bots = bots;
    this.#inbox = inbox;
  }

  /**
   * An event of Slack.
   * @throws OvenError NOT_FOUND, SIGNATURE_INVALID 401, TIMESTAMP_REFUSED 401, BODY_TOO_LARGE 413, INVALID_REQUEST
   */
  async slackEvent(key: string, request: Request): Promise<Reply> {
    const bot = await this.#bot(key, "slack-app", request);
    const { body, proof } = await this.#services.messengers.slack.read(slackSource(bot), request);
    const event = readSlackEvent(body, bot, proof);
    if (event?.does === "challenge") return ok({ challenge: event.challenge });
    if (event !== undefined) await this.#inbox.take(bot, event.incoming);
    return ok({});
  }

  /** A press on a button in Slack. @throws OvenError as `slackEvent` */
  async slackAction(key: string, request: Request): Promise<Reply> {
    const bot = await this.#bot(key, "slack-app", request);
    return this.#services.messengers.slack.takePress(slackSource(bot), request);
  }

  /** A message or a press on a button in Microsoft Teams. @throws OvenError NOT_FOUND, SIGNATURE_INVALID 401, INVALID_REQUEST */
  async teamsActivity(key: string, request: Request): Promise<Reply> {
    const bot = await this.#bot(key, "teams", request);
    const { teams } = this.#services.messengers;
    const source = teamsSource(bot);
    const activity = await teams.read(source, request);
    const incoming = readTeamsMessage(activity, bot, teams.proofOf(source));
    if (incoming === undefined) return teams.takePress(source, activity, request);
    await this.#inbox.take(bot, incoming);
    return ok({});
  }

  async #bot(key: string, type: BotRow["connection"]["type"], request: Request): Promise<BotRow> {
    const bot = await this.#bots.behind(key, type);
    if (bot !== undefined) return bot;
    await this.#services.requestLimits?.refused(addressOf(request));
    throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
  }
}
