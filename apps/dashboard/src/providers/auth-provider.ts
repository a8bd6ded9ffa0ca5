import type { ApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { AuthProvider } from "react-admin";
import type { SessionKeeper } from "./session.ts";

export interface Credentials {
  email: string;
  password: string;
}

class SignedOutError extends Error {
  readonly redirectTo = "/login";
  readonly logoutUser = true;
}

/** React Admin's door to the session cookie. 403 is shown where it happened and never signs anyone out. */
export function createAuthProvider(api: ApiClient, sessions: SessionKeeper): AuthProvider {
  return {
    async login({ email, password }: Credentials) {
      await api("auth/sign-in/email", { method: "POST", body: { email, password } });
      sessions.forget();
    },
    async logout() {
      const session = await sessions.current();
      if (session !== null) await api("auth/sign-out", { method: "POST", body: {} });
      sessions.forget();
      return "/login";
    },
    async checkAuth() {
      if ((await sessions.current()) === null) throw new SignedOutError("Sign in to go on");
    },
    async checkError(error: unknown) {
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
