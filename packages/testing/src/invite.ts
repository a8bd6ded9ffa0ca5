import type { TestOven } from "./start-runtime.ts";

const ORIGIN = "http://localhost:3000";

/** What a call sends as somebody else than the first admin; to be given to `TestOven.call`. */
export interface Credentials {
  key: string | null;
  headers?: Record<string, string>;
}

/** A person with these roles, invited and signed in. */
export async function invite(
  { call }: Pick<TestOven, "call">,
  email: string,
  roles: readonly string[],
): Promise<Credentials> {
  const { link } = (await call("POST", "invitations", { email, roles })).body;
  const token = new URL(link).searchParams.get("token");
  const joined = await call("POST", "invitations/accept", { token, name: email, password: "a long password" });
  const cookie = joined.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { key: null, headers: { cookie, origin: ORIGIN } };
}
