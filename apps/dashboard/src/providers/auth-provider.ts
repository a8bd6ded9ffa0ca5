import type { ApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { AuthProvider } from "react-admin";
import type { SessionKeeper } from "./session.ts";

/** One of the ways to sign in: the password, the code after it, or what a passkey has signed. */
export type Credentials = { email: string; password: string } | { code: string } | { passkey: unknown };

/** The password was right, and a code of an app is still to come: there is no session yet. */
export class CodeNeededError extends Error {}

/** Where a second factor is set up, for those whose roles demand one. */
export const SECOND_FACTOR_PAGE = "/second-factor";

/** What signing in asks the browser to do. */
export interface Browser {
  /** Leaves for another page. */
  leaveFor(path: string): void;
  /** The page that is shown: path and query. */
  here(): string;
}

class SignedOutError extends Error {
  readonly redirectTo = "/login";
  readonly logoutUser = true;
}

/** React Admin's door to the session cookie. 403 is shown where it happened and never signs anyone out. */
export function createAuthProvider(
  api: ApiClient,
  sessions: SessionKeeper,
  browser: Browser = windowBrowser,
): AuthProvider {
  const leaveForSetUp = (): void => {
    const here = browser.here();
    if (here.startsWith(SECOND_FACTOR_PAGE)) return;
    browser.leaveFor(`${SECOND_FACTOR_PAGE}?${new URLSearchParams({ next: here })}`);
  };
  return {
    async login(credentials: Credentials) {
      if ("code" in credentials) await api("auth/sign-in/code", { method: "POST", body: { code: credentials.code } });
      else if ("passkey" in credentials)
        await api("auth/sign-in/passkey", { method: "POST", body: { response: credentials.passkey } });
      else {
        const { email, password } = credentials;
        const { json } = await api("auth/sign-in/email", { method: "POST", body: { email, password } });
        // cast: better-auth's answer; nothing of it is a session then
        if ((json as { twoFactorRedirect?: boolean }).twoFactorRedirect === true) throw new CodeNeededError();
      }
      sessions.forget();
    },
    async logout() {
      const session = await sessions.current();
      if (session !== null) await api("auth/sign-out", { method: "POST", body: {} });
      sessions.forget();
      return "/login";
    },
    async checkAuth() {
      const session = await sessions.current();
      if (session === null) throw new SignedOutError("Sign in to go on");
      if (session.secondFactorNeeded) leaveForSetUp();
    },
    async checkError(error: unknown) {
      if (error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED") {
        sessions.forget();
        leaveForSetUp();
        return;
      }
      if (!(error instanceof ApiError) || error.status !== 401) return;
      sessions.forget();
      throw new SignedOutError("Your session has ended");
    },
    async getIdentity() {
      const session = await sessions.current();
      if (session === null) throw new SignedOutError("Sign in to go on");
      const { user, tenantId } = session;
      return { id: user.id, fullName: user.name, email: user.email, tenantId };
    },
    async getPermissions() {
      return (await sessions.current())?.permissions ?? [];
    },
  };
}

const windowBrowser: Browser = {
  leaveFor: (path) => window.location.replace(path),
  here: () => `${window.location.pathname}${window.location.search}`,
};
