import type { JsonObject } from "@oven/contract";
import type { Reply } from "@oven/module-registry";
import type { Words } from "./decision-channel.ts";
import type { DecisionSource } from "./decision-source.ts";
import type { AccountLinks } from "./links/account-links.ts";
import type { SlackRequest } from "./slack/read-slack-request.ts";
import type { TeamsActivity } from "./teams/teams-intake.ts";

/** Slack and Microsoft Teams, for modules that talk to people there. */
export interface MessengersFace {
  /** Whose account it is in OVEN, and addresses at which people say so. */
  links: Pick<AccountLinks, "userOf" | "offer">;
  /**
   * Shows a review in a conversation, with the buttons that decide, and changes the message whenever the review does.
   * @param thread of Slack: the `ts` of the message that began it
   * @throws SendError
   */
  postReview(
    source: DecisionSource,
    message: Words & { link: string },
    reviewId: number,
    thread?: string,
  ): Promise<void>;
  slack: {
    /** @throws OvenError as `readSlackRequest` */
    read(source: DecisionSource<"slack-app">, request: Request): Promise<SlackRequest>;
    /** A press on a button of a review. @throws OvenError as `read` */
    takePress(source: DecisionSource<"slack-app">, request: Request): Promise<Reply>;
    /** Calls a method of the Web API. @throws SendError */
    call(
      source: Pick<DecisionSource<"slack-app">, "tenantId" | "channel">,
      method: string,
      body: object,
      encoding?: "json" | "form",
    ): Promise<JsonObject>;
    /** Hands over content at an address that Slack has answered; one that is not of Slack is refused. @throws SendError */
    upload(source: Pick<DecisionSource<"slack-app">, "channel">, uploadUrl: string, data: Uint8Array): Promise<void>;
  };
  teams: {
    /** An activity that the Bot Connector has sent to this bot. @throws OvenError SIGNATURE_INVALID 401, INVALID_REQUEST */
    read(source: DecisionSource<"teams">, request: Request): Promise<TeamsActivity>;
    /** A press on a button of a review; anything else is answered with nothing. */
    takePress(source: DecisionSource<"teams">, activity: TeamsActivity, request: Request): Promise<Reply>;
    /** Calls the Bot Connector below `v3/conversations`. @throws SendError */
    call(
      source: Pick<DecisionSource<"teams">, "tenantId" | "channel">,
      method: "POST" | "PUT",
      path: string,
      body: object,
    ): Promise<JsonObject>;
    /** How accounts are known that requests to this bot name. */
    proofOf(source: Pick<DecisionSource<"teams">, "channel">): string;
  };
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    messengers: MessengersFace;
  }
}
