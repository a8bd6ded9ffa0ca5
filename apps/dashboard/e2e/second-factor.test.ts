import { appCode } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";

describe("signing in with more than a password", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let secret = "";
  let recoveryCodes: string[] = [];

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  /** A device of the person's own that makes passkeys and confirms each by a fingerprint. */
  async function addAuthenticator(to: Page): Promise<void> {
    const session = await to.context().newCDPSession(to);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  async function signOut(): Promise<void> {
    await page.evaluate(
      "fetch('/api/auth/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })",
    );
    await page.goto(`${oven.url}/login`);
    await page.getByLabel("E-mail").waitFor();
  }

  async function typePassword(): Promise<void> {
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  const home = () => page.getByRole("heading", { name: /^(Welcome to OVEN|Home)$/ }).waitFor();

  it("leads to the set-up, and nowhere else, once a role demands a second factor", async () => {
    await page.goto(`${oven.url}/roles`);
    await page.getByText("Owner").first().click();
    await page.getByRole("switch", { name: "Demand a second factor" }).click();
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await page.goto(`${oven.url}/agent-workflows`);
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await page.evaluate("fetch('/api/agent-workflows').then((reply) => reply.status)")).toBe(403);
    await page.getByLabel("Your password").fill(PASSWORD);
    await shoot(page, "second-factor-demanded");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    await page.getByText("Type the key instead").click();
    secret = (await page.getByLabel("the key", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^[A-Z2-7]{32,}$/);
    for (const [width, dark] of [
      [390, false],
      [390, true],
      [1280, true],
    ] as const) {
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await resize(page, width, 844);
      await shoot(page, `second-factor-qr-${width}${dark ? "-dark" : ""}`);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await expect.poll(() => seriousIssues(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await resize(page, 1280, 800);
    await page.getByRole("textbox", { name: "Code" }).fill(appCode(secret, Date.now()));
    await page.keyboard.press("Enter");
    const codes = page.getByLabel("the recovery codes", { exact: true });
    recoveryCodes = ((await codes.textContent()) ?? "").split("\n");
    expect(recoveryCodes).toHaveLength(10);
    await shoot(page, "second-factor-recovery-codes");
    await page.getByRole("button", { name: "I have stored them" }).click();
    // Back to the page that was asked for.
    await page.waitForURL(`${oven.url}/agent-workflows`);
    expect(await page.evaluate("fetch('/api/agent-workflows').then((reply) => reply.status)")).toBe(200);
  });

  it("asks for a code after the password, or for a recovery code", async () => {
    await signOut();
    await typePassword();
    const code = page.getByRole("textbox", { name: "Code" });
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await page.getByText("This code is not right").waitFor();
    await shoot(page, "sign-in-code");
    await resize(page, 390, 844);
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "sign-in-code-390-dark");
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    await resize(page, 1280, 800);
    // That of the next half minute is taken already, and was not used.
    await code.fill(appCode(secret, Date.now() + 30_000));
    await page.keyboard.press("Enter");
    await home();
    await signOut();
    await typePassword();
    await code.fill(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await home();
  });

  it("makes a passkey, names it, and signs in with it", async () => {
    await addAuthenticator(page);
    await page.goto(`${oven.url}/account`);
    await page.getByText("9 recovery codes are left.").waitFor();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("textbox", { name: "Code" }).fill(recoveryCodes[1] ?? "");
    await dialog.getByLabel("Name").fill("Work laptop");
    await shoot(page, "passkey-add");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Make the passkey" }).click();
    const rows = page.getByRole("list", { name: "Passkeys" });
    await rows.getByText("Work laptop").waitFor();
    await page.getByRole("button", { name: "Rename Work laptop" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await rows.getByText("Laptop", { exact: true }).waitFor();
    await page.getByText("Two-factor sign-in").scrollIntoViewIfNeeded();
    await shoot(page, "account-passkeys");
    await resize(page, 390, 844);
    await page.getByText("Passkeys", { exact: true }).scrollIntoViewIfNeeded();
    await shoot(page, "account-passkeys-390");
    await resize(page, 1280, 800);
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [["account", "account-second-factor", "recovery codes are left"]],
      looks: [
        { width: 390, dark: false },
        { width: 390, dark: true },
        { width: 1280, dark: true },
      ],
    });
    await signOut();
    await shoot(page, "sign-in-passkey");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await home();
    // It counts as the second factor that the role demands.
    expect(await page.evaluate("fetch('/api/agent-workflows').then((reply) => reply.status)")).toBe(200);
  });

  it("refuses a passkey that was removed", async () => {
    await page.goto(`${oven.url}/account`);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("textbox", { name: "Code" }).fill(recoveryCodes[2] ?? "");
    await dialog.getByRole("button", { name: "Remove" }).click();
    // By its text: what an open dialog covers has no role.
    await page.getByText("Laptop", { exact: true }).waitFor({ state: "detached" });
    await signOut();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey did not sign you in").waitFor();
    await shoot(page, "sign-in-passkey-refused");
    await page.getByText("This passkey was not accepted").first().waitFor();
  });

  it("is all there in German too", async () => {
    await page.getByRole("combobox").click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("button", { name: "Mit einem Passkey anmelden" }).waitFor();
    await page.getByLabel("E-Mail").fill(EMAIL);
    await page.getByLabel("Passwort").fill(PASSWORD);
    await page.getByRole("button", { name: "Anmelden", exact: true }).click();
    await page.getByRole("textbox", { name: "Code" }).fill(recoveryCodes[3] ?? "");
    await shoot(page, "sign-in-code-german");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${oven.url}/`);
    await page.goto(`${oven.url}/account`);
    await page.getByText("Anmeldung in zwei Schritten").waitFor();
    await page.getByRole("button", { name: "Ausschalten" }).click();
    await page.getByRole("dialog").getByLabel("Ihr Passwort").waitFor();
    await shoot(page, "second-factor-turn-off-german");
  });

  it("complained of nothing but what was refused on purpose", () => {
    // Not found: the sign-in page asks whether set-up is still open.
    const refusedOnPurpose = /40[0-9] \((Bad Request|Forbidden|Unauthorized|Not Found)\)/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
