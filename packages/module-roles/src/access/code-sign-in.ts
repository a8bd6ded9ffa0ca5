import { OvenError } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { addressOf } from "@oven/module-registry";
import { limitsOf, limitsOfDevice } from "../limits/sign-in-limits.ts";
import { beginTokenAttempt } from "../limits/token-attempts.ts";
import { isAppCode, takeCode, toPlainCode } from "../second-factor/app-codes.ts";
import { secondFactorWrong } from "../second-factor/proof.ts";
import type { AccessDeps } from "./access-deps.ts";
import { toRecord } from "./to-record.ts";

/** better-auth's cookie between the right password and its code; good for nothing else. */
const CHALLENGE = /(?:^|;\s*)(?:__Secure-)?oven\.two_factor=([^.;]+)/;

interface Challenged extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  email: string;
}

/**
 * The second half of signing in with a password: a code of the app, or a recovery code. Only now there is a session. Codes are
 * counted like passwords; a challenge takes five wrong ones, an account ten in a row.
 */
export async function signInWithCode(request: Request, deps: AccessDeps, typed: unknown): Promise<Response> {
  const { auth, attempts, audit, db, devices } = deps;
  const address = addressOf(request);
  const person = await findChallenged(db, request);
  if (person === undefined) {
    // Nothing that could be guessed is left, and a flood of it is still counted.
    await beginTokenAttempt(attempts, address);
    throw secondFactorWrong(401);
  }
  const device = devices.find(request, person.email);
  const account = `code ${person.id}`;
  const succeeded = await attempts.begin(
    device === undefined ? limitsOf(account, address) : limitsOfDevice(account, device),
  );
  const code = typeof typed === "string" ? toPlainCode(typed.slice(0, 40)) : "";
  const isApp = isAppCode(code);
  const isNew = code !== "" && (!isApp || (await takeCode(db, person.id, code, Date.now())));
  const response = isNew ? await auth.handler(toChallengeRequest(request, isApp, code)) : undefined;
  await audit.record(toRecord(request, "sign-in.code", response?.status ?? 401, person));
  if (response?.ok !== true) {
    if (response?.status === 429) throw codesClosed();
    throw secondFactorWrong(401);
  }
  await succeeded();
  const headers = new Headers(response.headers);
  headers.append("set-cookie", devices.remember(request, person.email));
  return new Response(response.body, { status: response.status, headers });
}

/** After ten wrong codes in a row (NIST SP 800-63B §5.2.2): who sends them has the password already. */
function codesClosed(): OvenError {
  return new OvenError(
    "TOO_MANY_ATTEMPTS",
    "There were ten wrong codes in a row; codes are taken again in 15 minutes",
    {
      status: 429,
      retryAfterMs: 15 * 60_000,
      fix: "Wait, and change your password if it was not you. A passkey signs you in meanwhile.",
    },
  );
}

/** The signature of the cookie is the library's to check; here it only says whose attempts are counted. */
async function findChallenged(db: Queryable, request: Request): Promise<Challenged | undefined> {
  const [, identifier] = CHALLENGE.exec(request.headers.get("cookie") ?? "") ?? [];
  if (identifier === undefined) return undefined;
  const [row] = await db.query<Challenged>(
    `select u.id, u.tenant_id, u.email from verifications v join users u on u.id::text = v.value
     where v.identifier = $1 and v.expires_at > now()`,
    [decodeURIComponent(identifier)],
  );
  return row;
}

/** Without a session that the browser may still have: with one, the library takes the code for something else. */
function toChallengeRequest(request: Request, isApp: boolean, code: string): Request {
  const headers = new Headers(request.headers);
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/).filter((one) => !one.includes("session_token="));
  headers.set("cookie", cookies.join("; "));
  headers.delete("content-length");
  const url = new URL(`/api/auth/two-factor/verify-${isApp ? "totp" : "backup-code"}`, request.url);
  return new Request(url, { method: "POST", headers, body: JSON.stringify({ code }) });
}
