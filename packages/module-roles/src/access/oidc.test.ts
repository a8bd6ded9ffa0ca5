import { OidcProvider } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAccess, type TestAccess } from "../testing/start-access.ts";

const CLIENT = "oven-client";

describe("sign-in at an OpenID Connect provider", () => {
  const provider = new OidcProvider(CLIENT);
  let access: TestAccess;
  beforeAll(async () => {
    await provider.start();
    access = await startAccess({ oidc: { issuer: provider.issuer, clientId: CLIENT, clientSecret: "client-secret" } });
  });
  afterAll(async () => {
    await access.stop();
    await provider.stop();
  });

  /** The way of a browser: to the provider and back. */
  async function signIn(profile: Record<string, unknown>, nonce?: string, callbackURL = "/") {
    provider.profile = { sub: `sub-of-${profile.email}`, name: "From provider", ...profile };
    const begun = await access.call("POST", "auth/sign-in/social", { body: { provider: "oidc", callbackURL } });
    const url = new URL(begun.body.url);
    provider.nonce = nonce ?? url.searchParams.get("nonce") ?? "";
    const state = url.searchParams.get("state") ?? "";
    const back = await access.call("GET", `auth/callback/oidc?code=c&state=${encodeURIComponent(state)}`, {
      cookie: begun.cookie,
    });
    return { url, back };
  }
  const sessionOf = (cookie: string) => access.call("GET", "session", { cookie });

  it("signs in a person who was invited before, with their roles here, and records it", async () => {
    const { url, back } = await signIn({ email: "olga@example.com", email_verified: true });
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("redirect_uri")).toBe("http://localhost:3000/api/auth/callback/oidc");
    expect(back.status).toBe(302);
    expect((await sessionOf(back.cookie)).body).toMatchObject({
      user: { email: "olga@example.com" },
      permissions: ["*"],
    });
    expect((await access.audited()).at(-1)).toMatchObject({
      action: "sign-in.oidc",
      outcome: "done",
      user_id: access.owner.id,
    });
  });

  it("counts as the second factor that a role demands, and a password alone does not", async () => {
    const { back } = await signIn({ email: "olga@example.com", email_verified: true });
    await access.db.query(
      "insert into role_settings (tenant_id, role, requires_second_factor) values (1, 'owner', true)",
    );
    const statusOf = async (cookie: string) => (await access.call("GET", "things", { cookie })).status;
    expect([await statusOf(back.cookie), await statusOf(access.owner.cookie)]).toEqual([200, 403]);
    await access.db.query("delete from role_settings");
  });

  it("leads back to the page that asked for it, of OVEN alone", async () => {
    const page = "/connect?client_id=abc&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback";
    const { back } = await signIn({ email: "olga@example.com", email_verified: true }, undefined, page);
    expect(back.headers.get("location")).toBe(page);
    const elsewhere = { provider: "oidc", callbackURL: "https://evil.example.com/" };
    expect((await access.call("POST", "auth/sign-in/social", { body: elsewhere })).status).toBe(403);
  });

  it.each([
    ["an address nobody invited", { email: "stranger@example.com", email_verified: true }, undefined],
    ["an address the provider did not verify", { email: "vic@example.com", email_verified: false }, undefined],
    ["an address without a word on verification", { email: "vic@example.com" }, undefined],
    ["a token made for another sign-in", { email: "vic@example.com", email_verified: true }, "another-nonce"],
    ["a token for another client", { email: "vic@example.com", email_verified: true, aud: "other" }, undefined],
    ["a token of another issuer", { email: "vic@example.com", email_verified: true, iss: "https://evil" }, undefined],
  ])("refuses %s", async (_what, profile, nonce) => {
    const users = await access.db.query("select email from users");
    if (users.length === 1) await access.join("vic", ["viewer"]);
    const { back } = await signIn(profile, nonce);
    expect(back.status).toBe(302);
    expect((await sessionOf(back.cookie)).status).toBe(401);
    expect(await access.db.query("select id from users")).toHaveLength(2);
    expect((await access.audited()).at(-1)).toMatchObject({ action: "sign-in.oidc", outcome: "refused" });
  });

  it("refuses a disabled user, and tokens that did not come by the callback", async () => {
    await access.db.query("update users set disabled_at = now() where email = 'vic@example.com'");
    const { back } = await signIn({ email: "vic@example.com", email_verified: true });
    expect((await sessionOf(back.cookie)).status).toBe(401);
    const direct = { provider: "oidc", idToken: { token: "x" } };
    expect((await access.call("POST", "auth/sign-in/social", { body: direct })).status).toBe(404);
  });

  it("is enough for the owner: set-up stays done without a password, until sign-in at the provider is switched off", async () => {
    await access.db.query("delete from accounts where provider_id = 'credential'");
    expect((await access.call("GET", "setup")).status).toBe(404);
    // It goes through set-up, for without the provider the owner has no way in.
    const off = await startAccess({ db: access.db });
    expect((await off.call("GET", "session", { cookie: off.owner.cookie })).body).toMatchObject({ permissions: ["*"] });
    await off.stop();
  });

  it("is off without settings", async () => {
    const without = await startAccess();
    const refused = await without.call("POST", "auth/sign-in/social", { body: { provider: "oidc" } });
    expect(refused.status).toBe(404);
    expect(refused.body.url).toBeUndefined();
    expect((await without.call("GET", "sign-in-methods")).body).toEqual({ password: true, oidc: false, passkey: true });
    expect((await access.call("GET", "sign-in-methods")).body).toEqual({ password: true, oidc: true, passkey: true });
    await without.stop();
  });
});
