import { createApiClient } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { answerWith, json } from "@oven/ui/api/test-fetch.ts";
import { describe, expect, it } from "vitest";
import { createAuthProvider } from "./auth-provider.ts";
import { SessionKeeper } from "./session.ts";

const SESSION = { user: { id: 1, name: "Ada", email: "ada@example.com" }, tenantId: 1, permissions: ["*"] };
const SIGNED_OUT = { error: { code: "UNAUTHENTICATED", message: "no", docs: "d" } };

function authOf(...answers: (Response | Error)[]) {
  const { fetch, seen } = answerWith(...answers);
  const api = createApiClient(fetch);
  return { auth: createAuthProvider(api, new SessionKeeper(api)), seen };
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
