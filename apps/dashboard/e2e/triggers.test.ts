import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

const subjectOf = ({ subject }: { subject: string }): string => subject;

describe("triggers and schedules in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Olga");
    await page.getByLabel("E-mail").fill("olga@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("say what to do when there is none", async () => {
    await page.getByRole("link", { name: "Triggers & schedules" }).click();
    await page.getByText("Nothing starts by itself yet").waitFor();
    await shoot(page, "triggers-empty");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("a schedule in words is said back in exact terms, saved, and shows its next instants", async () => {
    await page.getByRole("link", { name: "New trigger" }).first().click();
    await page.getByLabel("Name").fill("Morning triage");
    await page.getByLabel("Starts").click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("When").first().fill("every full moon");
    await page.getByText("could not be read as a schedule").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.getByLabel("When").first().fill("every weekday at 8:30");
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await expect
      .poll(() => page.getByRole("list", { name: "The next instants" }).getByRole("listitem").count())
      .toBe(5);
    // What was typed since is not read yet: nothing may be saved that says something else.
    const save = page.getByRole("button", { name: "Save" });
    await page.route("**/schedules/preview", (route) => route.abort());
    await page.getByLabel("When").first().fill("every weekday at 9:30");
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel("When").first().fill("");
    await expect.poll(() => page.getByText(/At 08:30, Monday through Friday/).count()).toBe(0);
    expect(await save.isDisabled()).toBe(true);
    await page.unroute("**/schedules/preview");
    await page.getByLabel("When").first().fill("every weekday at 8:30");
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await expect.poll(() => save.isDisabled()).toBe(false);
    await shoot(page, "trigger-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    // Order triage asks for a message, which a schedule does not bring: no firing could ever start it.
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(/The workflow needs message, which this trigger does not hand over/)
      .first()
      .waitFor();
    const input = page.getByRole("group", { name: "Input of the workflow" });
    await input.getByText("The workflow needs this").waitFor();
    await shoot(page, "trigger-input-refused");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await input.getByRole("textbox", { name: /^Message/ }).fill("Where is my parcel?");
    await expect.poll(() => input.getByText("The workflow needs this").count()).toBe(0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Morning triage" }).waitFor();
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await page.getByText("Nothing has arrived yet").waitFor();
  });

  it("can be tried without starting anything, then fired; what arrived is there with its run", async () => {
    await page.getByRole("button", { name: "Try or fire" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What arrives").fill('{"by": "Ada Admin"}');
    await dialog.getByRole("button", { name: "Test, start nothing" }).click();
    await dialog.getByText("A run would be started with this input").waitFor();
    await shoot(page, "trigger-test");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Fire", exact: true }).click();
    await dialog
      .getByText(/refused|started/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    const log = page.getByRole("list", { name: "Deliveries" });
    await log.getByRole("listitem").first().waitFor();
    await log.getByRole("button", { name: "Show" }).first().click();
    await log.getByText("Ada Admin").first().waitFor();
    await shoot(page, "trigger-show");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("takes a field from what arrives, and shows the same input as JSON", async () => {
    await page.goto(`${oven.url}/triggers`);
    await page.getByRole("link", { name: "Morning triage" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const input = page.getByRole("group", { name: "Input of the workflow" });
    await input.getByRole("button", { name: "Take Message from what arrives" }).click();
    await input.getByRole("combobox", { name: /^Message/ }).click();
    await page.getByRole("option", { name: "$.timezone" }).click();
    await shoot(page, "trigger-input-fields");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await expect.poll(() => page.getByLabel(/^Input: an object/).inputValue()).toContain('"message": "$.timezone"');
    await page.getByRole("button", { name: "Fill in fields" }).click();
    await input.getByRole("button", { name: "Write a fixed value for Message" }).click();
    await input.getByRole("textbox", { name: /^Message/ }).fill("Where is my parcel?");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Terms", { exact: true }).waitFor();
  });

  it("is flagged when its workflow needs more, its owner is told, and it is repaired at the field", async () => {
    const headers = { origin: oven.url };
    const list = await page.request.get(`${oven.url}/api/agent-workflows?filter={"name":"Order triage"}`);
    const [workflow] = await list.json();
    const { payloadSchema } = workflow.definition;
    const definition = {
      ...workflow.definition,
      payloadSchema: {
        ...payloadSchema,
        properties: { ...payloadSchema.properties, priority: { type: "integer", title: "Priority" } },
        required: [...(payloadSchema.required ?? []), "priority"],
      },
    };
    const published = await page.request.put(`${oven.url}/api/agent-workflows/${workflow.id}`, {
      headers,
      data: { definition },
    });
    expect(published.status()).toBe(200);
    await expect
      .poll(async () => (await (await page.request.get(`${oven.url}/api/notifications`)).json()).map(subjectOf))
      .toContain("The trigger Morning triage no longer works");
    await page.goto(`${oven.url}/notifications`);
    await page.getByText("The trigger Morning triage no longer works").first().waitFor();
    await shoot(page, "trigger-unusable-told");
    await page.goto(`${oven.url}/triggers`);
    await page.getByText("does not fit").waitFor();
    await shoot(page, "triggers-unusable");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Morning triage" }).click();
    await page.getByText("Nothing is started: the input does not fit the workflow any more").waitFor();
    await shoot(page, "trigger-unusable");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Repair" }).click();
    const input = page.getByRole("group", { name: "Input of the workflow" });
    await input.getByText("The workflow needs this").waitFor();
    await shoot(page, "trigger-repair");
    await input.getByRole("textbox", { name: /^Priority/ }).fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Terms", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("does not fit").count()).toBe(0);
  });

  it("is tried by hand with the fields of its workflow, or with JSON", async () => {
    await page.goto(`${oven.url}/triggers/create`);
    await page.getByLabel("Name").first().fill("By hand");
    await page.getByLabel("Starts").click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("Kind").click();
    await page.getByRole("option", { name: "By hand", exact: true }).click();
    await page.getByText("The workflow gets what arrives as its input.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Try or fire" }).click();
    const dialog = page.getByRole("dialog");
    // What the workflow refuses stands at its field.
    await dialog.getByRole("textbox", { name: /^Message/ }).fill("");
    await dialog.getByRole("button", { name: "Fire", exact: true }).click();
    await dialog.getByText("This is needed.").first().waitFor();
    await shoot(page, "trigger-fire-refused");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("textbox", { name: /^Message/ }).fill("Where is it?");
    await expect.poll(() => dialog.getByText("This is needed.").count()).toBe(0);
    await dialog.getByRole("textbox", { name: /^Priority/ }).fill("1");
    await shoot(page, "trigger-fire-fields");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Write JSON instead" }).click();
    await expect.poll(() => dialog.getByLabel("What arrives").inputValue()).toContain('"priority": 1');
    await dialog.getByRole("button", { name: "Test, start nothing" }).click();
    await dialog.getByText("A run would be started with this input").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.goto(`${oven.url}/triggers`);
    await page.getByRole("link", { name: "Morning triage" }).click();
  });

  it("shapes how events become runs: those of a batch are held, then share one run", async () => {
    await page.goto(`${oven.url}/triggers/create`);
    await page.getByLabel("Name").first().fill("Together");
    await page.getByLabel("Starts", { exact: false }).first().click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("Kind").click();
    await page.getByRole("option", { name: "By hand", exact: true }).click();
    await page.getByLabel("Each event leads to").click();
    await page.getByRole("option", { name: "One run for several events together" }).click();
    await page.getByLabel("As soon as so many came").fill("2");
    await page.getByLabel("Limit how many runs start").check();
    await shoot(page, "trigger-shaping");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("group", { name: "Where the input comes from" }).getByText("JSON").click();
    await page.getByLabel(/^Input: an object/).fill('{"message": "$.events[0].message", "priority": 1}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Together" }).waitFor();
    const id = Number(new URL(page.url()).pathname.match(/triggers\/(\d+)/)?.[1]);
    const fire = (message: string) =>
      page.request.post(`${oven.url}/api/triggers/${id}/fire`, {
        headers: { origin: oven.url },
        data: { payload: { message } },
      });
    await fire("Where is it?");
    await page.reload();
    const log = page.getByRole("list", { name: "Deliveries" });
    await log.getByText("held", { exact: true }).waitFor();
    await log.getByText(/Waits for up to 2 events/).waitFor();
    await fire("And mine?");
    await log
      .getByText(/into run \d+/)
      .first()
      .waitFor();
    await shoot(page, "trigger-shaped-deliveries");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.goto(`${oven.url}/triggers`);
    await page.getByRole("link", { name: "Morning triage" }).click();
  });

  it("is edited, switched off from the list, and deleted", async () => {
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await page.getByLabel("When").first().fill("daily at 7am");
    await page.getByText(/At 07:00/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/At 07:00/).waitFor();
    await page.goto(`${oven.url}/triggers`);
    await page.getByLabel("Morning triage is on").click();
    await page.getByText("Morning triage is off").waitFor();
    await shoot(page, "triggers");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Morning triage" }).click();
    await page.getByText("It is off and does not fire.").waitFor();
  });

  it("an MCP tool is made by its settings, and shows the address for its clients", async () => {
    await page.goto(`${oven.url}/triggers/create`);
    await page.getByLabel("Name").first().fill("File a claim");
    await page.getByLabel("Starts").click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("Kind").click();
    await page.getByRole("option", { name: "MCP tool" }).click();
    await shoot(page, "trigger-create-mcp");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "File a claim" }).waitFor();
    await page.getByText(/^http.*\/api\/mcp\/triggers\/\d+$/).waitFor();
    await shoot(page, "trigger-show-mcp");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("complained of nothing but what was refused on purpose", () => {
    const refusedOnPurpose = /40[0-9] \((Bad Request|Conflict|Unauthorized)\)/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
