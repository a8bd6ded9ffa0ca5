import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** What a token binds its holder to. */
const ClaimsSchema = z.strictObject({
  embed: z.string(),
  visitor: z.string(),
  origin: z.string(),
  /** Of the embed when it was signed. */
  epoch: z.int(),
  /** Seconds. */
  expires: z.int(),
});
export type SessionClaims = z.infer<typeof ClaimsSchema>;

export const TOKEN_SECONDS = 900;

/** Short-lived tokens of visitors, signed with a key of their own. */
export class SessionTokens {
  readonly #key: Buffer;

  constructor(rootSecret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", rootSecret, "", "oven embed session", 32));
  }

  /** @param now milliseconds */
  sign(claims: Omit<SessionClaims, "expires">, now: number): { token: string; expiresAt: Date } {
    const expires = Math.floor(now / 1_000) + TOKEN_SECONDS;
    const payload = Buffer.from(JSON.stringify({ ...claims, expires })).toString("base64url");
    return { token: `${payload}.${this.#signatureOf(payload)}`, expiresAt: new Date(expires * 1_000) };
  }

  /** Undefined: not of this installation, or expired. */
  read(token: string, now: number): SessionClaims | undefined {
    const [payload = "", signature = "", ...more] = token.split(".");
    const right = Buffer.from(this.#signatureOf(payload));
    const given = Buffer.from(signature);
    if (more.length > 0 || right.length !== given.length || !timingSafeEqual(right, given)) return undefined;
    const claims = ClaimsSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return claims.expires * 1_000 > now ? claims : undefined;
  }

  #signatureOf(payload: string): string {
    return createHmac("sha256", this.#key).update(payload).digest("base64url");
  }
}
