import { PasskeyAnswerSchema } from "@oven/contract/access";
import { addressOf, type RequestLimits } from "@oven/module-registry";
import { passkeyRefused } from "../second-factor/passkey.routes.ts";
import type { AccessDeps } from "./access-deps.ts";
import { hashSessionToken, sessionTokenIn } from "./hashed-sessions.ts";
import { toRecord } from "./to-record.ts";

/** All that ask for a challenge, or answer one, together. */
const DOOR = "passkey sign-in";

/** What a browser needs to sign in with a passkey: a challenge that is good once, for five minutes. */
export async function challengePasskey(
  request: Request,
  { auth }: AccessDeps,
  limits: RequestLimits | undefined,
): Promise<Response> {
  await limits?.admitStranger(addressOf(request), DOOR);
  return auth.api.generatePasskeyAuthenticationOptions({ headers: withoutSession(request), asResponse: true });
}

/** Signs in with what the passkey has signed. Device and person are two factors: no code is asked for. */
export async function signInWithPasskey(
  request: Request,
  { auth, audit, db, devices }: AccessDeps,
  limits: RequestLimits | undefined,
  response: unknown,
): Promise<Response> {
  await limits?.admitStranger(addressOf(request), DOOR);
  const signed = PasskeyAnswerSchema.safeParse(response).data;
  const answer = signed
    ? await auth.api.verifyPasskeyAuthentication({
        body: { response: signed },
        headers: withoutSession(request),
        asResponse: true,
      })
    : undefined;
  const token = answer?.ok === true ? sessionTokenIn(answer) : undefined;
  const [user] = await db.query<{ id: number; tenant_id: number; email: string }>(
    "select u.id, u.tenant_id, u.email from users u join sessions s on s.user_id = u.id where s.token = $1",
    [token === undefined ? "" : hashSessionToken(token)],
  );
  await audit.record(toRecord(request, "sign-in.passkey", user === undefined ? 401 : 200, user));
  if (answer === undefined || user === undefined) throw passkeyRefused(401);
  const headers = new Headers({ "content-type": "application/json" });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  headers.append("set-cookie", devices.remember(request, user.email));
  return new Response(JSON.stringify({ user: { id: user.id, email: user.email } }), { status: 200, headers });
}

/** Who is signed in does not matter: the passkey says who it is. */
function withoutSession(request: Request): Headers {
  const headers = new Headers(request.headers);
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/).filter((one) => !one.includes("session_token="));
  headers.set("cookie", cookies.join("; "));
  return headers;
}
