import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { RuntimeEnvironment } from "@oven/module-registry";

const SECONDS_VALID = 365 * 24 * 3_600;
/** People who share a browser; the one who signed in longest ago is forgotten first. */
const MOST_ACCOUNTS = 5;

/**
 * Browsers on which a person has signed in before, by a signed cookie (OWASP: "Slow Down Online Guessing Attacks with Device
 * Cookies"). Such a browser has limits of its own for that account, so guesses from elsewhere do not hold the person up. The
 * cookie is no session.
 */
export class KnownDevices {
  readonly #keys: readonly Buffer[];
  readonly #isSecure: boolean;
  readonly #now: () => number;

  constructor(
    { secret, previousSecrets = [], publicUrl }: Pick<RuntimeEnvironment, "secret" | "previousSecrets" | "publicUrl">,
    now: () => number = Date.now,
  ) {
    this.#keys = [secret, ...previousSecrets].map((one) =>
      Buffer.from(hkdfSync("sha256", one, "", "oven known device", 32)),
    );
    this.#isSecure = publicUrl.startsWith("https:");
    this.#now = now;
  }

  /**
   * The id of the device, when the account has signed in on it.
   * @param account the e-mail address as accounts are written
   */
  find(request: Request, account: string): string | undefined {
    return this.#entries(request)
      .find((entry) => this.#isOf(entry, account))
      ?.split(".")[0];
  }

  /** The cookie by which the device is known for the account from now on, and still for others. */
  remember(request: Request, account: string): string {
    const others = this.#entries(request).filter((entry) => !this.#isOf(entry, account));
    const id = this.find(request, account) ?? randomBytes(16).toString("base64url");
    const expires = String(Math.floor(this.#now() / 1_000) + SECONDS_VALID);
    const [key = Buffer.alloc(0)] = this.#keys;
    const own = [id, expires, sign(key, id, expires, account)].join(".");
    const value = [own, ...others].slice(0, MOST_ACCOUNTS).join("~");
    const secure = this.#isSecure ? "; Secure" : "";
    return `${this.#name()}=${value}; Path=/api/auth; Max-Age=${SECONDS_VALID}; HttpOnly; SameSite=Lax${secure}`;
  }

  #name(): string {
    return this.#isSecure ? "__Secure-oven.device" : "oven.device";
  }

  #entries(request: Request): string[] {
    const prefix = `${this.#name()}=`;
    const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
    const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
    return value === undefined || value === "" ? [] : value.split("~").slice(0, MOST_ACCOUNTS);
  }

  #isOf(entry: string, account: string): boolean {
    const [id = "", expires = "", signature = ""] = entry.split(".");
    if (!(Number(expires) * 1_000 > this.#now())) return false;
    const given = Buffer.from(signature);
    return this.#keys.some((key) => {
      const right = Buffer.from(sign(key, id, expires, account));
      return right.length === given.length && timingSafeEqual(right, given);
    });
  }
}

function sign(key: Buffer, id: string, expires: string, account: string): string {
  return createHmac("sha256", key).update(`${id}.${expires}.${account}`).digest("base64url");
}
