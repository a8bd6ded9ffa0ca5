import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

describe("tables in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let tableId: string;

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: oven.url });
    // Nobody was signed in before.
    complaints.length = 0;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${oven.url}/api/${path}`, { data, headers: { origin: oven.url } });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const stored = async (): Promise<Record<string, unknown>[]> => {
    const answer = await page.request.get(`${oven.url}/api/tables/${tableId}/rows`);
    return (await answer.json()).map(({ values }: { values: Record<string, unknown> }) => values);
  };
  const scroll = (to: number) => page.evaluate(`document.querySelector('[role="grid"]').scrollTo(0, ${to})`);
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key);
  };

  it("are made with columns", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tables" }).click();
    await page.getByText("There are no tables yet").waitFor();
    await shoot(page, "tables-empty");
    await page.getByRole("button", { name: "New table" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Customers");
    await page.getByRole("button", { name: "Make the table" }).click();
    await page.getByText("This table has no columns yet").waitFor();
    tableId = page.url().split("/").at(-2) ?? "";
    await page.getByRole("button", { name: "Add columns" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Column name").fill("email");
    await dialog.getByLabel("Unique").check();
    await dialog.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByLabel("Column name").nth(1).fill("age");
    await dialog.getByLabel("Type").nth(1).click();
    await page.getByRole("option", { name: "Number" }).click();
    await dialog.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByLabel("Column name").nth(2).fill("state");
    await dialog.getByLabel("Type").nth(2).click();
    await page.getByRole("option", { name: "Choice", exact: true }).click();
    await dialog.getByLabel("Choices, one a line").fill("new\nactive");
    await shoot(page, "tables-columns");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("There are no rows yet").waitFor();
  });

  it("take rows from a dialog and from keys", async () => {
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByRole("dialog").getByLabel("email").fill("ann@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("gridcell", { name: "ann@example.com" }).click();
    await keys("ArrowRight", "Enter");
    await page.getByLabel("Value of age").fill("old");
    await keys("Enter");
    await page.getByText("age must be a number").waitFor();
    await page.getByLabel("Value of age").fill("41");
    await keys("Tab");
    await expect.poll(stored).toMatchObject([{ email: "ann@example.com", age: 41 }]);
    await keys("Enter");
    await page.getByLabel("Value of state").selectOption("active");
    await keys("Enter");
    await expect.poll(stored).toMatchObject([{ state: "active" }]);
    // What was typed is given up.
    await keys("ArrowLeft", "7", "Escape");
    expect(await stored()).toMatchObject([{ age: 41 }]);
    await keys("Control+z");
    await expect.poll(stored).toMatchObject([{ age: 41, state: null }]);
    await keys("Control+z");
    await expect.poll(stored).toMatchObject([{ age: null, state: null }]);
  });

  it("take a block from a spreadsheet, give one back, and take the last edit back", async () => {
    await page.getByRole("gridcell", { name: "ann@example.com" }).click();
    await page.evaluate(
      `navigator.clipboard.writeText("ann@example.com\\t42\\tnew\\nbob@example.com\\t7\\tactive\\n")`,
    );
    await keys("Control+v");
    await expect.poll(stored).toMatchObject([
      { email: "ann@example.com", age: 42, state: "new" },
      { email: "bob@example.com", age: 7, state: "active" },
    ]);
    await page.getByRole("gridcell", { name: "bob@example.com" }).click();
    await keys("Shift+ArrowUp", "Shift+ArrowRight", "Control+c");
    const copied = (await page.evaluate("navigator.clipboard.readText()")) as string; // cast: a text
    expect(copied.replaceAll("\r", "")).toBe("ann@example.com\t42\nbob@example.com\t7");
    await page.evaluate(`navigator.clipboard.writeText("x\\ty")`);
    await keys("Control+v");
    await page.getByText("Row 1, age: “y”").waitFor();
    await keys("Control+z");
    await expect.poll(stored).toHaveLength(1);
    await keys("Control+z");
    await expect.poll(stored).toMatchObject([{ email: "ann@example.com", age: null }]);
    await shoot(page, "tables-sheet");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("are not overwritten by a second window", async () => {
    const [{ id, version }] = await (await page.request.get(`${oven.url}/api/tables/${tableId}/rows`)).json();
    await page.request.patch(`${oven.url}/api/tables/${tableId}/rows/${id}`, {
      data: { version, values: { age: 50 } },
      headers: { origin: oven.url },
    });
    await page.getByRole("gridcell", { name: "ann@example.com" }).click();
    await keys("ArrowRight", "9", "Enter");
    await page.getByText("Row 1 has been changed since it was read", { exact: true }).waitFor();
    await page.getByRole("gridcell", { name: "50" }).waitFor();
    expect(await stored()).toMatchObject([{ age: 50 }]);
    // The browser reports the refused request.
    complaints.length = 0;
  });

  it("say what an import would do, line by line, and what a change of columns would lose", async () => {
    await page.getByRole("button", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog");
    const csv = "email;age;state\ncem@example.com;30;new\nann@example.com;x;new\n";
    await dialog
      .getByLabel("CSV file")
      .setInputFiles({ name: "c.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await dialog.getByText("Line 3, age, “x”").waitFor();
    await shoot(page, "tables-import");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByLabel("Leave out lines that do not fit").check();
    await dialog.getByRole("button", { name: "Import 1 row", exact: true }).click();
    await page.getByRole("gridcell", { name: "cem@example.com" }).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await dialog.getByRole("button", { name: "Remove Column state" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("state is removed with 1 value").waitFor();
    await shoot(page, "tables-plan");
    await dialog.getByRole("button", { name: "Save and delete 1 value" }).click();
    await page.getByRole("columnheader", { name: "state" }).waitFor({ state: "detached" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("customers.csv");
  });

  it("show ten thousand rows, and only those in sight are in the page", async () => {
    const { id } = await post("tables", { name: "Many", columns: [{ name: "n", type: "number" }] });
    for (let first = 0; first < 10_000; first += 1_000)
      await post(`tables/${id}/rows`, { rows: Array.from({ length: 1_000 }, (_, index) => ({ n: first + index })) });
    await page.goto(`${oven.url}/tables/${id}/show`);
    await page.getByText("10000 rows in all").waitFor();
    await page.getByRole("gridcell", { name: "0", exact: true }).click();
    await keys("Control+ArrowDown");
    await page.getByRole("gridcell", { name: "9999", exact: true }).waitFor();
    expect(await page.getByRole("gridcell").count()).toBeLessThan(100);
    await scroll(170_000);
    await page.getByRole("gridcell", { name: "5005", exact: true }).waitFor();
    await page.getByRole("columnheader", { name: "n" }).getByRole("button").click();
    await page.getByRole("columnheader", { name: "n" }).getByRole("button").click();
    await scroll(0);
    await page.getByRole("gridcell", { name: "9999", exact: true }).waitFor();
    await page.getByRole("button", { name: "Filter rows" }).click();
    await page.getByRole("dialog").getByLabel("Value").fill("77");
    await page.getByRole("button", { name: "Show these rows" }).click();
    await page.getByText("1 row matches").waitFor();
  });

  it("are offered to agents by tools", async () => {
    await page.goto(`${oven.url}/tables/${tableId}/show`);
    await page.getByRole("tab", { name: "Tools for agents" }).click();
    await page.getByText("Agents reach no row of this table").waitFor();
    await page.getByRole("button", { name: "New tool" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What is in the table").fill("Customers with their age");
    await dialog.getByLabel("Change rows").check();
    await shoot(page, "tables-tool");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("table.customers").waitFor();
    await page.getByText("A person approves").waitFor();
    const tools = await (await page.request.get(`${oven.url}/api/tools/table.customers.update`)).json();
    expect(tools).toMatchObject({ needsApproval: true });
  });

  it("are whole on a phone, in the dark and in German", async () => {
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        ["tables", "tables-list", "Customers"],
        [`tables/${tableId}/show`, "tables-show", "ann@example.com"],
      ],
      looks: [
        { width: 390, dark: true },
        { width: 1280, dark: true },
        { width: 1280, dark: false, language: "de" },
      ],
    });
    expect(complaints).toEqual([]);
  });
});
