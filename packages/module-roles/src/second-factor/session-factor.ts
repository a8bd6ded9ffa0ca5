/** With what a session was made beside, or instead of, a password. */
export type SessionFactor = "code" | "passkey" | "provider";

/** The endpoints of better-auth that make a session once its factor was shown. */
const FACTOR_AT: Readonly<Record<string, SessionFactor>> = {
  "/two-factor/verify-totp": "code",
  "/two-factor/verify-backup-code": "code",
  "/passkey/verify-authentication": "passkey",
  "/callback/:id": "provider",
};

/**
 * The factor of a session that is about to be made. Where a session replaces another one (a new password), it has that one's;
 * a code counts no more once the app is turned off.
 * @param path the endpoint that makes it, as better-auth declares it
 * @param before the factor of the session that it replaces
 */
export function factorAt(path: string | undefined, before: string | null): string | null {
  if (path === "/change-password") return before;
  if (path === "/two-factor/disable") return before === "code" ? null : before;
  return (path !== undefined && Object.hasOwn(FACTOR_AT, path) && FACTOR_AT[path]) || null;
}
