import { OvenError, type Principal } from "@oven/contract";
import type { Proof } from "@oven/contract/access";
import { addressOf } from "@oven/module-registry";
import type { AccessDeps } from "../access/access-deps.ts";
import { notCallable, requirePerson } from "../account/require-person.ts";
import { limitsOf } from "../limits/sign-in-limits.ts";
import { isAppCode, takeCode, toPlainCode } from "./app-codes.ts";
import { secondFactorRequired } from "./session-principal.ts";

/** How long after signing in a person who has neither password nor app may change their sign-in. */
const FRESH_MS = 10 * 60_000;

interface FactorRow extends Record<string, unknown> {
  hash: string | null;
  app: boolean;
  has_passkey: boolean;
}

/**
 * Makes sure that a change of one's own sign-in is one's own will: the password where there is one, a code where an app is set up, and
 * a fresh session where there is neither. Who has a passkey and signed in with the password alone does so with the passkey first: a stolen
 * password must not lead to a second factor of the thief's.
 * @returns the id of the person
 * @throws OvenError NOT_CALLABLE, SECOND_FACTOR_REQUIRED 403, PASSWORD_WRONG 400, SECOND_FACTOR_WRONG 400, SESSION_NOT_FRESH 403,
 *   TOO_MANY_ATTEMPTS 429
 */
export async function requireProof(
  deps: AccessDeps,
  request: Request,
  principal: Principal,
  proof: Proof,
): Promise<number> {
  const userId = requirePerson(principal);
  const { auth, db } = deps;
  const session = await auth.api.getSession({ headers: request.headers });
  if (session === null || Number(session.user.id) !== userId) throw notCallable();
  const [row] = await db.query<FactorRow>(
    `select (select a.password from accounts a where a.user_id = u.id and a.provider_id = 'credential') as hash,
       u.two_factor_enabled as app, exists (select from passkeys p where p.user_id = u.id) as has_passkey
     from users u where u.id = $1`,
    [userId],
  );
  const { hash = null, app = false, has_passkey = false } = row ?? {};
  if (has_passkey && (session.session.secondFactor ?? null) === null) throw secondFactorRequired();
  if (hash === null && !app) {
    if (Date.now() - session.session.createdAt.getTime() <= FRESH_MS) return userId;
    throw new OvenError("SESSION_NOT_FRESH", "This session is too old to change how you sign in", {
      status: 403,
      fix: "Sign out, sign in again, and do it within ten minutes.",
    });
  }
  const succeeded = await deps.attempts.begin(limitsOf(`user ${userId}`, addressOf(request)));
  if (hash !== null) await requirePassword(deps, hash, proof.password);
  if (app) await requireCode(deps, request, userId, proof.code);
  await succeeded();
  return userId;
}

async function requirePassword({ auth }: AccessDeps, hash: string, password = ""): Promise<void> {
  const context = await auth.$context;
  if (await context.password.verify({ hash, password })) return;
  throw new OvenError("PASSWORD_WRONG", "The current password is not right", {
    status: 400,
    path: "$.password",
    fix: "Type the password you signed in with.",
  });
}

/** @throws OvenError SECOND_FACTOR_WRONG */
async function requireCode({ auth, db }: AccessDeps, request: Request, userId: number, typed = ""): Promise<void> {
  const code = toPlainCode(typed);
  const asked = { headers: request.headers, asResponse: true } as const;
  const isRight = isAppCode(code)
    ? (await takeCode(db, userId, code, Date.now())) && (await auth.api.verifyTOTP({ ...asked, body: { code } })).ok
    : (await auth.api.verifyBackupCode({ ...asked, body: { code, disableSession: true } })).ok;
  if (!isRight) throw secondFactorWrong(400);
}

export function secondFactorWrong(status: 400 | 401): OvenError {
  return new OvenError("SECOND_FACTOR_WRONG", "This code is not right, or was used already", {
    status,
    path: "$.code",
    fix: "Wait for the next code of your app, or take a recovery code that you have not used.",
  });
}
