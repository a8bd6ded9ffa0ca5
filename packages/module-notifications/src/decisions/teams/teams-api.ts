import { isObject, type JsonObject, readJson } from "@oven/contract";
import type { NotificationChannel } from "@oven/contract/system";
import type { OutboundService, RuntimeEnvironment, SecretService } from "@oven/module-registry";
import { readRetryAfter, SendError } from "../../channels/outgoing.ts";
import { toSendError } from "../../channels/post-message.ts";
import { toOrigin } from "../../channels/to-origin.ts";

export type TeamsBot = Extract<NotificationChannel, { type: "teams" }>;

export interface TeamsDeps {
  services: { outbound: OutboundService; secrets: SecretService };
  environment: Pick<RuntimeEnvironment, "outboundAllow">;
  /** Milliseconds. */
  now(): number;
}

const TIMEOUT_MS = 15_000;
const LONGEST_ANSWER = 262_144;
const SCOPE = "https://api.botframework.com/.default";
/** Renewed so long before it ends. */
const EARLY_MS = 300_000;
/** Hosts of the Bot Connector, which get the bot's token: the public cloud, and those of governments. */
const CONNECTORS = new Set([
  "smba.trafficmanager.net",
  "smba.infra.gcc.teams.microsoft.com",
  "smba.infra.gov.teams.microsoft.us",
  "smba.infra.dod.teams.microsoft.us",
]);

/** Calls the Bot Connector as the bot. https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference */
export class TeamsApi {
  readonly #deps: TeamsDeps;
  readonly #tokens = new Map<string, { token: string; until: number }>();

  constructor(deps: TeamsDeps) {
    this.#deps = deps;
  }

  /**
   * @param path below `v3/conversations`
   * @throws SendError
   */
  async call(tenantId: number, bot: TeamsBot, method: "POST" | "PUT", path: string, body: object): Promise<JsonObject> {
    const url = URL.parse(bot.serviceUrl);
    if (url === null || !this.#isConnector(url))
      throw new SendError(`${bot.serviceUrl} is not an address of the Bot Connector`, true);
    const token = await this.#token(tenantId, bot);
    const base = url.href.replace(/\/+$/, "");
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const { status, answer, retryAfterMs } = await this.#fetch(
      `${base}/v3/conversations/${path}`,
      method,
      headers,
      JSON.stringify(body),
    );
    if (status >= 200 && status < 300) return isObject(answer) ? answer : {};
    if (status === 401) this.#tokens.delete(keyOf(tenantId, bot));
    // A conversation or message that is gone, or a bot that is not in it.
    throw new SendError(`The Bot Connector answered ${status}`, status === 403 || status === 404 || status === 413, {
      retryAfterMs,
    });
  }

  async #token(tenantId: number, bot: TeamsBot): Promise<string> {
    const { services, now, environment } = this.#deps;
    const key = keyOf(tenantId, bot);
    const known = this.#tokens.get(key);
    if (known !== undefined && known.until > now()) return known.token;
    const { appId, directory, password, loginHost } = bot;
    const secret = await services.secrets
      .use(tenantId, `secret:${password.$secret}`, loginHost)
      .catch((error: unknown) => {
        throw toSendError(error);
      });
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: appId,
      client_secret: secret,
      scope: SCOPE,
    });
    const address = `${toOrigin(loginHost, environment)}/${directory}/oauth2/v2.0/token`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, answer } = await this.#fetch(address, "POST", headers, body.toString());
    if (!isObject(answer) || typeof answer.access_token !== "string" || typeof answer.expires_in !== "number")
      throw new SendError(`${loginHost} gave no token: ${status}`, status === 400 || status === 401);
    this.#tokens.set(key, { token: answer.access_token, until: now() + answer.expires_in * 1_000 - EARLY_MS });
    return answer.access_token;
  }

  async #fetch(url: string, method: string, headers: Record<string, string>, body: string) {
    try {
      const init = { method, headers, body, timeoutMs: TIMEOUT_MS, maxBytes: LONGEST_ANSWER, maxRedirects: 0 };
      const response = await this.#deps.services.outbound.fetch(url, init);
      const text = await response.text();
      const isJson = /^application\/json/i.test(response.headers.get("content-type") ?? "");
      return {
        status: response.status,
        answer: isJson && text !== "" ? readJson(text).value : null,
        retryAfterMs: readRetryAfter(response.headers),
      };
    } catch (error) {
      throw toSendError(error);
    }
  }

  #isConnector({ protocol, host, origin }: URL): boolean {
    return (protocol === "https:" && CONNECTORS.has(host)) || this.#deps.environment.outboundAllow.includes(origin);
  }
}

function keyOf(tenantId: number, { appId, directory, password, loginHost }: TeamsBot): string {
  return JSON.stringify([tenantId, appId, directory, password.$secret, loginHost]);
}
