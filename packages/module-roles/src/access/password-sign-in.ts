import type { AccessDeps } from "./access-deps.ts";

/** Signs in a user who has just been made, and answers 201 with them and the cookies of the session and the device. */
export async function signInWithPassword(
  { auth, devices }: Pick<AccessDeps, "auth" | "devices">,
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
  headers.append("set-cookie", devices.remember(request, email));
  return new Response(JSON.stringify({ user }), { status: 201, headers });
}
