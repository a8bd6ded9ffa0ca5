import { OvenError, type Principal } from "@oven/contract";

/**
 * @returns the id of the person
 * @throws OvenError NOT_CALLABLE for an API key
 */
export function requirePerson({ kind, userId, through }: Principal): number {
  if (kind === "user" && userId !== null && through === undefined) return userId;
  throw notCallable();
}

export function notCallable(): OvenError {
  return new OvenError("NOT_CALLABLE", "This is about a person's own sign-in, and an API key is not a person", {
    fix: "Sign in with e-mail and password.",
  });
}
