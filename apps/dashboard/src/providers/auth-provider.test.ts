import { createApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { answerWith, json } from "@oven/ui/api/test-fetch.ts";
import { describe, expect, it } from "vitest";
import { CodeNeededError, createAuthProvider } from "./auth-provider.ts";
import { SessionKeeper } from "./session.ts";

const SESSION = {
  user: { id: 1, name: "Ada", email: "ada@example.com" },
  tenantId: 1,
  permissions: ["*"],
  secondFactorNeeded: false,
};
const SIGNED_OUT = { error: { code: "UNAUTHENTICATED", message: "no", docs: "d" } };

function authOf(...answers: (Response | Error)[]) {
  const { fetch, seen } = answerWith(...answers);
  const api = createApiClient(fetch);
  const left: string[] = [];
  const browser = { leaveFor: (path: string) => void left.push(path), here: () => "/agents?page=2" };
  return { auth: createAuthProvider(api, new SessionKeeper(api), browser), seen, left };
}

describe("the auth provider", () => {
  it("asks who is signed in once for everybody", async () => {
    const { auth, seen } = authOf(json(SESSION));
    const [, identity, permissions] = await Promise.all([
      auth.checkAuth({}),
      auth.getIdentity?.(),
      auth.getPermissions?.({}),
    ]);
    expect(identity).toMatchObject({ id: 1, fullName: "Ada", email: "ada@example.com" });
    expect(permissions).toEqual(["*"]);
    expect(seen).toHaveLength(1);
  });

  it("sends to the sign-in page when nobody is", async () => {
    const { auth } = authOf(json(SIGNED_OUT, { status: 401 }));
    await expect(auth.checkAuth({})).rejects.toMatchObject({ redirectTo: "/login" });
  });

  it("does not take a failing server for being signed out", async () => {
    const { auth } = authOf(new TypeError("down"));
    await expect(auth.checkAuth({})).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("asks again after signing in", async () => {
    const { auth, seen } = authOf(json(SIGNED_OUT, { status: 401 }), json({}), json(SESSION));
    await auth.checkAuth({}).catch(() => "signed out");
    await auth.login({ email: "ada@example.com", password: "secret" });
    await expect(auth.checkAuth({})).resolves.toBeUndefined();
    expect(seen[1]).toMatchObject({
      url: "/api/auth/sign-in/email",
      body: { email: "ada@example.com", password: "secret" },
    });
  });

  it("asks for a code where the password is not all, and signs in with it", async () => {
    const { auth, seen } = authOf(json({ twoFactorRedirect: true }), json({}), json(SESSION));
    const login = auth.login({ email: "ada@example.com", password: "secret" });
    await expect(login).rejects.toBeInstanceOf(CodeNeededError);
    await auth.login({ code: "123456" });
    await auth.checkAuth({});
    expect(seen[1]).toMatchObject({ url: "/api/auth/sign-in/code", body: { code: "123456" } });
  });

  it("leads to the set-up of a second factor where one is demanded, and back afterwards", async () => {
    const { auth, left } = authOf(json({ ...SESSION, secondFactorNeeded: true }));
    await auth.checkAuth({});
    const demanded = new ApiError(403, { code: "SECOND_FACTOR_REQUIRED", message: "no" });
    await auth.checkError(demanded);
    expect(left).toEqual(Array(2).fill("/second-factor?next=%2Fagents%3Fpage%3D2"));
  });

  it("signs out on 401 only", async () => {
    const { auth } = authOf();
    await expect(auth.checkError(new ApiError(403, { message: "no" }))).resolves.toBeUndefined();
    await expect(auth.checkError(new ApiError(500, { message: "no" }))).resolves.toBeUndefined();
    await expect(auth.checkError(new ApiError(401, { message: "no" }))).rejects.toMatchObject({ redirectTo: "/login" });
  });

  it("signs out at the server only when signed in", async () => {
    const { auth, seen } = authOf(json(SIGNED_OUT, { status: 401 }));
    await expect(auth.logout({})).resolves.toBe("/login");
    expect(seen.map(({ url }) => url)).toEqual(["/api/session"]);
    const signedIn = authOf(json(SESSION), json({}));
    await signedIn.auth.logout({});
    expect(signedIn.seen.at(-1)).toMatchObject({ method: "POST", url: "/api/auth/sign-out", body: {} });
  });
});
