import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
const NEW = { name: "Vera Viewer", email: "vera@example.com", password: "another horse battery" };

describe("access in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let link = "";

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill(OWNER.name);
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("invites somebody by a link that is shown once", async () => {
    await page.goto(`${oven.url}/users`);
    await page.getByText(OWNER.email).first().waitFor();
    await page.getByRole("button", { name: "Invite" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill(NEW.email);
    await dialog.getByLabel("Reviewer").check();
    await shoot(page, "users-invite");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Make the link" }).click();
    link = (await page.getByLabel("the invitation link", { exact: true }).textContent()) ?? "";
    expect(link).toContain("/invitation?token=");
    await shoot(page, "users-invitation-link");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("list", { name: "Open invitations" }).getByText(NEW.email).waitFor();
    await shoot(page, "users");
  });

  it("lets the invited one in, who sees no door that is closed to her", async () => {
    const other = await chromium.newPage({ width: 390, height: 844 });
    await other.page.goto(link);
    await other.page.getByLabel("Name").fill(NEW.name);
    await other.page.getByLabel("Password").fill(NEW.password);
    await shoot(other.page, "invitation-390");
    await other.page.getByRole("button", { name: "Join" }).click();
    await other.page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
    await other.page.getByRole("button", { name: "Open the menu" }).click();
    await other.page.getByRole("link", { name: "Reviews" }).first().waitFor();
    // Nothing of the settings is open to her.
    await expect.poll(() => other.page.getByRole("link", { name: "Users" }).count()).toBe(0);
    await other.page.goto(link);
    await other.page.getByText("This invitation does not work").waitFor();
    await other.page.goto(`${oven.url}/account`);
    await other.page.getByText("this one").waitFor();
    await shoot(other.page, "account-390");
    expect(await overflow(other.page)).toBeLessThanOrEqual(0);
    await expect.poll(() => seriousIssues(other.page)).toEqual([]);
  });

  it("makes a role from a checklist and gives it", async () => {
    await page.goto(`${oven.url}/roles`);
    await page.getByText("Auditor").first().waitFor();
    await shoot(page, "roles");
    await page.getByRole("link", { name: "New role" }).click();
    await page.getByLabel("Title").fill("Support lead");
    await page.getByRole("textbox", { name: "Name" }).fill("support-lead");
    await page.getByLabel("reviews", { exact: true }).check();
    await page.getByLabel(/^See runs/).check();
    await shoot(page, "role-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Support lead").first().waitFor();
    await page.goto(`${oven.url}/users`);
    await page.getByRole("button", { name: `Edit ${NEW.name}` }).click();
    await page.getByRole("dialog").getByLabel("Support lead").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("list", { name: "Users" }).getByText("support-lead").waitFor();
  });

  it("refuses to disable the last owner, and says why in place", async () => {
    await page.getByRole("button", { name: `Disable ${OWNER.name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await page.getByText("This is the last owner").first().waitFor();
    await page.getByRole("button", { name: "Keep" }).click();
  });

  it("makes a tenant, whose owner sees nothing of the first one", async () => {
    await page.goto(`${oven.url}/tenants`);
    await page.getByText("First tenant").waitFor();
    await page.getByRole("button", { name: "New tenant" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Acme");
    await dialog.getByLabel("E-mail of its first owner").fill("ada@acme.example");
    await shoot(page, "tenant-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Make the tenant" }).click();
    const invitation = (await page.getByLabel("the invitation link", { exact: true }).textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("list", { name: "Tenants" }).getByText("Acme").waitFor();
    await shoot(page, "tenants");
    const { page: theirs } = await chromium.newPage();
    await theirs.goto(invitation);
    await theirs.getByLabel("Name").fill("Ada Acme");
    await theirs.getByLabel("Password").fill("a third horse battery");
    await theirs.getByRole("button", { name: "Join" }).click();
    await openSetting(theirs, "Users");
    await theirs.getByText("ada@acme.example").first().waitFor();
    await expect.poll(() => theirs.getByText(OWNER.email).count()).toBe(0);
    await expect.poll(() => theirs.getByRole("link", { name: "Tenants" }).count()).toBe(0);
    await page.getByRole("button", { name: "Disable Acme" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable Acme" }).waitFor();
    await theirs.goto(`${oven.url}/users`);
    await theirs.getByLabel("Password").waitFor();
  });

  it("makes a key with scopes, and shows it once", async () => {
    await page.goto(`${oven.url}/api-keys`);
    await page.getByRole("button", { name: "New API key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("ci");
    await page.getByLabel("Permissions of your choice").check();
    await page.getByLabel("reviews", { exact: true }).check();
    await page.getByLabel("Only these workflows").fill("agent-workflow:1");
    await shoot(page, "api-key-create");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("I have copied it").click();
    await page.getByText("only agent-workflow:1").waitFor();
    await shoot(page, "api-keys");
  });

  it("keeps a secret that nobody sees again, changes its hosts and its value, and deletes it by name", async () => {
    await page.goto(oven.url);
    await openSetting(page, "Secrets");
    await page.getByText("No secrets yet").waitFor();
    await page.getByRole("button", { name: "New secret" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("shop-api");
    await dialog.getByLabel("Value").fill("short");
    await dialog.getByLabel("Hosts").fill("api.example.com");
    await dialog.getByRole("button", { name: "Keep the secret" }).click();
    await dialog
      .getByText(/at least 8 characters/)
      .first()
      .waitFor();
    await dialog.getByLabel("Value").fill("the-first-value");
    await shoot(page, "secret-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Keep the secret" }).click();
    const rows = page.getByRole("list", { name: "Secrets" });
    await rows.getByText("api.example.com").waitFor();
    await rows.getByRole("button", { name: "Change shop-api" }).click();
    await dialog.getByLabel("New value").fill("the-second-value");
    await dialog.getByLabel("Hosts").fill("api.example.com, 10.0.0.5:8080");
    const sent = page.waitForRequest(
      (request) => request.method() === "PUT" && request.url().includes("/api/secrets/"),
    );
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ value: "the-second-value" });
    await rows.getByText("api.example.com, 10.0.0.5:8080").waitFor();
    expect(await page.content()).not.toContain("the-second-value");
    await page.getByRole("button", { name: "New secret" }).click();
    await dialog.getByLabel("Name").fill("signing");
    await dialog.getByLabel("Value").fill("a-key-for-signatures");
    await dialog.getByRole("button", { name: "Keep the secret" }).click();
    await rows.getByText("sent nowhere, for signatures").waitFor();
    await rows.getByRole("button", { name: "Delete signing" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await rows.getByText("signing", { exact: true }).waitFor({ state: "detached" });
  });

  it("shows who did what, filters it, and hands it over as a file", async () => {
    await page.goto(`${oven.url}/audit-log`);
    await page.getByText("invitation.accept").first().waitFor();
    await shoot(page, "audit-log");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Refused" }).click();
    await page.getByText("LAST_OWNER").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("audit-log.csv");
  });

  it("changes the password and ends the other sessions", async () => {
    await page.goto(`${oven.url}/account`);
    await page.getByLabel("Current password").fill("wrong password");
    await page.getByLabel("New password").fill("a whole new password");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The current password is not right").first().waitFor();
    await page.getByLabel("Current password").fill(OWNER.password);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password was changed").waitFor();
  });

  it("complained of nothing but what was refused on purpose", () => {
    // Also the question who is signed in, before anybody was.
    const refusedOnPurpose = /40[0-9] \((Bad Request|Conflict|Unauthorized)\)/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
