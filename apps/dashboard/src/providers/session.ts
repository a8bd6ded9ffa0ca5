import type { Session } from "@oven/contract/access";
import type { ApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";

/** One request for everybody who asks at the same time; forgotten at sign-in, sign-out and 401. */
export class SessionKeeper {
  readonly #api: ApiClient;
  #pending: Promise<Session | null> | null = null;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  current(): Promise<Session | null> {
    this.#pending ??= this.#load();
    return this.#pending;
  }

  forget(): void {
    this.#pending = null;
  }

  async #load(): Promise<Session | null> {
    try {
      // cast: the shape of GET /api/session
      return (await this.#api("session")).json as Session;
    } catch (error) {
      this.forget();
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  }
}
