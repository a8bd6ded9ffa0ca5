import { createHash, randomBytes } from "node:crypto";
import { OidcProvider } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

/** Nobody listens there: where the browser is sent is what counts. */
const CALLBACK = "http://127.0.0.1:9/callback";

describe("letting a program in", () => {
  const provider = new OidcProvider("oven");
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    await provider.start();
    const client = { OVEN_OIDC_CLIENT_ID: "oven", OVEN_OIDC_CLIENT_SECRET: "client-secret" };
    oven = await startOven({ bootstrap: false, env: { OVEN_OIDC_ISSUER: provider.issuer, ...client } });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage({ width: 390, height: 844 }));
    await signUp(page, oven);
    await page.context().clearCookies();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await provider.stop();
  });

  it("signs in first, is told who asks for what, denies, allows, and disconnects", async () => {
    const registered = await fetch(`${oven.url}/api/auth/oauth2/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Desk helper",
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: "none",
      }),
    });
    const { client_id } = (await registered.json()) as { client_id: string }; // cast: RFC 7591
    const verifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri: CALLBACK,
      scope: "agent-workflows.execute orders.read users.read offline_access",
      state: "of the program",
      resource: `${oven.url}/api/mcp/support-reply`,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const question = `${oven.url}/api/auth/oauth2/authorize?${query}`;
    const sentBack = () => page.waitForRequest((request) => request.url().startsWith(CALLBACK));

    await page.goto(question);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Let Desk helper in?" }).waitFor();
    await page.getByText("Support reply").waitFor();
    await expect
      .poll(() => page.getByRole("listitem").allTextContents())
      .toEqual(["Run agent workflows", "See demo orders and policies"]);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const denied = sentBack();
    await page.getByRole("button", { name: "Deny" }).click();
    expect(new URL((await denied).url()).searchParams.get("error")).toBe("access_denied");

    // Whoever signs in at the organisation's provider comes back to the question.
    provider.profile = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Admin" };
    const { page: elsewhere } = await chromium.newPage({ width: 390, height: 844 });
    await elsewhere.goto(question);
    await elsewhere.getByRole("button", { name: "Sign in with your organisation" }).click();
    await elsewhere.getByRole("heading", { name: "Let Desk helper in?" }).waitFor();
    await elsewhere.context().close();

    const other = await page.context().newPage();
    await other.goto(question);
    const allowed = other.waitForRequest((request) => request.url().startsWith(CALLBACK));
    await other.getByRole("button", { name: "Allow" }).click();
    const code = new URL((await allowed).url()).searchParams.get("code") ?? "";
    const answer = await fetch(`${oven.url}/api/auth/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id,
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      }),
    });
    // Only what the person was told of.
    expect(await answer.json()).toMatchObject({ scope: "agent-workflows.execute orders.read offline_access" });

    const account = await page.context().newPage();
    await account.goto(`${oven.url}/account`);
    await account.getByText("Desk helper").waitFor();
    await account.getByRole("button", { name: "Disconnect" }).click();
    await account.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await account.getByText("None. A program that connects").waitFor();
  });
});
