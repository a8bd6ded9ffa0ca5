import type { Page } from "playwright-core";
import type { OvenProcess } from "./oven-process.ts";

/** The first admin of a new server, signed in. */
export async function signUp(page: Page, oven: OvenProcess): Promise<void> {
  await page.goto(oven.setupUrl ?? `${oven.url}/login`);
  await page.getByLabel("Name").fill("Ada Admin");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create admin account" }).click();
  await page.getByRole("heading", { name: /^(Welcome to OVEN|Home)$/ }).waitFor();
}
