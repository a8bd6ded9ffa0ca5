import type { TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startInstallation } from "./plan/testing/start-installation.ts";

let dev: TestOven;
let prod: TestOven;
beforeAll(async () => {
  dev = await startInstallation();
  prod = await startInstallation();
});
afterAll(async () => {
  await dev.stop();
  await prod.stop();
});

const made = async (oven: TestOven, path: string, body: object) => {
  const answer = await oven.call("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

it("takes the columns of the tables that steps and triggers name, and no rows", async () => {
  await made(dev, "tables", { name: "Teams", columns: [{ name: "name", type: "text", unique: true }] });
  await made(dev, "tables", {
    name: "Leads",
    columns: [
      { name: "email", type: "text" },
      { name: "team", type: "reference", references: "teams" },
    ],
  });
  await made(dev, "tables", { name: "Unused", columns: [] });
  await made(dev, "tables/leads/rows", { rows: [{ email: "a@example.com" }] });
  const invoke = { src: "tables.find", input: { table: "leads" }, onDone: "done" };
  const definition = { initial: "find", states: { find: { invoke }, done: { type: "final" } } };
  const { id } = await made(dev, "workflows", { name: "Leads", definition });
  const trigger = { type: "table-row", name: "New", target: { kind: "workflow", workflowId: id } };
  await made(dev, "triggers", { ...trigger, config: { table: "leads" } });
  const { body: file } = await dev.call("GET", `workflows/${id}/promotion`);
  expect(file.tables.map(({ slug }: { slug: string }) => slug)).toEqual(["teams", "leads"]);
  expect(JSON.stringify(file)).not.toContain("a@example.com");

  const plan = await made(prod, "promotions/plan", { file });
  expect(plan).toMatchObject({
    missing: 0,
    references: expect.arrayContaining([expect.objectContaining({ kind: "table", name: "leads", state: "included" })]),
  });
  await made(prod, "promotions/apply", { file, digest: plan.digest });
  const tables = (await prod.call("GET", "tables")).body;
  expect(tables.map(({ slug, rows }: { slug: string; rows: number }) => [slug, rows])).toEqual([
    ["teams", 0],
    ["leads", 0],
  ]);
  expect(tables[1].columns[1]).toMatchObject({ references: "teams" });
  await made(prod, "tables/leads/rows", { rows: [{ email: "b@example.com" }] });
  const again = await made(prod, "promotions/plan", { file });
  await made(prod, "promotions/apply", { file, digest: again.digest });
  expect((await prod.call("GET", "tables/leads")).body).toMatchObject({ rows: 1, version: 1 });
});

it("uses a table that is called otherwise here", async () => {
  const { body: listed } = await dev.call("GET", "workflows");
  const { body: file } = await dev.call("GET", `workflows/${listed[0].id}/promotion?triggers=false`);
  await made(prod, "tables", { name: "People", columns: [{ name: "email", type: "text" }] });
  const asked = { file, mapping: { table: { leads: "people" } } };
  const plan = await made(prod, "promotions/plan", asked);
  await made(prod, "promotions/apply", { ...asked, digest: plan.digest });
  const { body } = await prod.call("GET", "workflows/leads");
  expect(body.definition.states.find.invoke.input.table).toBe("people");
});
