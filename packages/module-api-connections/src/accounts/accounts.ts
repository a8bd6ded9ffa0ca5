import { setTimeout as sleep } from "node:timers/promises";
import { isOvenError } from "@oven/contract";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { type Account, type AccountStore, type Owner, SHARED } from "./account-store.ts";
import type { OAuthClient, OAuthSettings } from "./oauth-client.ts";

/** A token that ends sooner is renewed before it is used. */
const EARLY_MS = 60_000;
/** How long one process may take to renew. */
const CLAIM_MS = 60_000;
const LOOK_MS = 200;

interface Deps {
  store: AccountStore;
  oauth: OAuthClient;
  now?: () => number;
}

/** What calls of a connection are signed in with: found, renewed, or taken anew. */
export class Accounts {
  readonly #deps: Required<Deps>;

  constructor({ now = Date.now, ...deps }: Deps) {
    this.#deps = { ...deps, now };
  }

  /**
   * The token or value of an account. Undefined: the owner must connect it first.
   * @param refused a token that the API did not take, so that another is needed
   * @throws OvenError API_SIGN_IN_FAILED, OUTBOUND_*, SECRET_*
   */
  async use(
    connection: ConnectionRow,
    userId: number,
    signal: AbortSignal,
    refused?: string,
  ): Promise<string | undefined> {
    const { auth, tenantId, id: connectionId } = connection;
    const owner: Owner = { tenantId, connectionId, userId };
    const isUsable = ({ value, expiresAt = Number.POSITIVE_INFINITY }: Account) =>
      value !== refused && expiresAt - EARLY_MS > this.#deps.now();
    const until = this.#deps.now() + CLAIM_MS;
    do {
      const found = await this.#deps.store.find(owner);
      if (found !== undefined && isUsable(found.account)) return found.account.value;
      if (auth.type !== "oauth" && auth.type !== "client-credentials") return undefined;
      if (found === undefined) return auth.type === "oauth" ? undefined : this.#signIn(owner, auth, signal);
      if (auth.type === "oauth" && found.account.refreshToken === undefined) return undefined;
      if (await this.#deps.store.claim(owner, found.row, CLAIM_MS))
        return this.#renew(owner, auth, found.account.refreshToken, signal);
      await sleep(LOOK_MS, undefined, { signal });
    } while (this.#deps.now() < until);
    return undefined;
  }

  async #renew(
    owner: Owner,
    auth: OAuthSettings,
    refreshToken: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { oauth, store } = this.#deps;
    if (auth.type === "client-credentials" || refreshToken === undefined) return this.#signIn(owner, auth, signal);
    try {
      const account = await oauth.renew(owner.tenantId, auth, refreshToken, signal);
      await store.write(owner, account);
      return account.value;
    } catch (error) {
      // The service takes this sign-in no more: its owner signs in again.
      if (isOvenError(error) && error.code === "API_SIGN_IN_FAILED") {
        await store.forget(owner);
        return undefined;
      }
      await store.release(owner);
      throw error;
    }
  }

  async #signIn(owner: Owner, auth: OAuthSettings, signal: AbortSignal): Promise<string> {
    try {
      const account = await this.#deps.oauth.signInAsClient(owner.tenantId, auth, signal);
      await this.#deps.store.write(owner, account);
      return account.value;
    } catch (error) {
      await this.#deps.store.release(owner);
      throw error;
    }
  }
}

/** Whose account a call uses. @returns null where the connection wants people's own and no person asks */
export function ownerOf({ accounts }: Pick<ConnectionRow, "accounts">, userId: number | null): number | null {
  return accounts === "shared" ? SHARED : userId;
}
