import type { Auth } from "./auth.ts";

/** Signs in whoever has just been made, and answers 201 with him and the session's cookie. */
export async function signInWithPassword(
  auth: Auth,
  request: Request,
  email: string,
  password: string,
  user: { name: string; email: string },
): Promise<Response> {
  const signedIn = await auth.api.signInEmail({
    body: { email, password },
    headers: request.headers,
    asResponse: true,
  });
  const headers = new Headers({ "content-type": "application/json" });
  for (const cookie of signedIn.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(JSON.stringify({ user }), { status: 201, headers });
}
