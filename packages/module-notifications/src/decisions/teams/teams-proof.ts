import { isObject, JsonSchema, OvenError } from "@oven/contract";
import type { OutboundService } from "@oven/module-registry";
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { z } from "zod";
import { toOrigin } from "../../channels/to-origin.ts";
import type { TeamsBot, TeamsDeps } from "./teams-api.ts";

/** Of the Bot Connector's own tokens. https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication */
const ISSUER = "https://api.botframework.com";
const CHANNEL = "msteams";
const SKEW_SECONDS = 300;
const KEYS_FOR_MS = 86_400_000;
const TIMEOUT_MS = 10_000;
const LONGEST_ANSWER = 262_144;

/** Each key says for which channels it signs. */
const Endorsed = z.looseObject({ endorsements: z.array(z.string()).refine((names) => names.includes(CHANNEL)) });

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Checks that a request comes from the Bot Connector, for one bot. */
export class TeamsProof {
  readonly #deps: TeamsDeps;
  /** By the address of the metadata. */
  readonly #keys = new Map<string, { keys: Keys; until: number }>();

  constructor(deps: TeamsDeps) {
    this.#deps = deps;
  }

  /**
   * @param serviceUrl that the activity names; the token names it, too
   * @throws OvenError SIGNATURE_INVALID 401
   */
  async check(authorization: string | null, bot: TeamsBot, serviceUrl: string): Promise<void> {
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) throw invalid("No token came with it");
    const keys = await this.#keysOf(bot);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: ISSUER,
        audience: bot.appId,
        algorithms: ["RS256"],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#deps.now()),
        requiredClaims: ["exp", "serviceurl"],
      });
      if (payload.serviceurl !== serviceUrl) throw invalid("The token is of another service");
      const key = keys.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid);
      if (!Endorsed.safeParse(key).success) throw invalid("The key is not one of Microsoft Teams");
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalid("The token does not fit", error);
      throw error;
    }
  }

  async #keysOf({ keysHost }: TeamsBot): Promise<Keys> {
    const { services, environment, now } = this.#deps;
    const origin = toOrigin(keysHost, environment);
    const known = this.#keys.get(origin);
    if (known !== undefined && known.until > now()) return known.keys;
    const metadata = await readJson(services.outbound, `${origin}/v1/.well-known/openidconfiguration`);
    const address = isObject(metadata) && typeof metadata.jwks_uri === "string" ? URL.parse(metadata.jwks_uri) : null;
    if (address === null || address.origin !== origin) throw invalid("The keys are not where they should be");
    const fetched = async (url: string) => Response.json(await readJson(services.outbound, url));
    const keys = createRemoteJWKSet(address, { cacheMaxAge: KEYS_FOR_MS, [customFetch]: fetched });
    this.#keys.set(origin, { keys, until: now() + KEYS_FOR_MS });
    return keys;
  }
}

async function readJson(outbound: OutboundService, url: string) {
  const response = await outbound.fetch(url, { timeoutMs: TIMEOUT_MS, maxBytes: LONGEST_ANSWER, maxRedirects: 0 });
  return JsonSchema.parse(await response.json());
}

function invalid(message: string, cause?: unknown): OvenError {
  return new OvenError("SIGNATURE_INVALID", message, {
    status: 401,
    fix: "Set this address as the messaging endpoint of the bot whose app id the rule names.",
    cause,
  });
}
