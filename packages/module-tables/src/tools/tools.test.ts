import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTables, type TablesOven } from "../rows/testing/start-tables.ts";

describe("tools of tables", () => {
  let oven: TablesOven;
  let toolId: number;

  beforeAll(async () => {
    oven = await startTables();
    await oven.make("tickets", [
      { name: "title", type: "text", required: true },
      { name: "team", type: "text" },
      { name: "secret", type: "text" },
      { name: "state", type: "choice", choices: ["open", "done"], default: "open" },
    ]);
    await oven.add(
      "tickets",
      { title: "A", team: "blue", secret: "s1" },
      { title: "B", team: "red", secret: "s2" },
      { title: "C", team: "blue", secret: "s3" },
    );
    const made = await oven.call("POST", "table-tools", {
      name: "blue-tickets",
      table: "tickets",
      description: "Tickets of the blue team",
      actions: ["find", "insert", "update", "delete"],
      where: { team: "blue" },
      visible: ["title", "state"],
      most: 2,
      needsApproval: false,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    toolId = made.body.id;
  });
  afterAll(() => oven.stop());

  const call = async (action: string, args: object) => {
    const { body } = await oven.call("POST", `tools/table.blue-tickets.${action}/call`, { arguments: args });
    return body.error === null || body.error === undefined ? body.result : body.error.code;
  };

  it("show models only the columns that they may know", async () => {
    const { body } = await oven.call("GET", "tools/table.blue-tickets.find");
    expect(Object.keys(body.inputSchema.properties.where.properties)).toEqual(["id", "title", "state"]);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(await call("find", {})).toMatchObject({
      count: 2,
      truncated: false,
      rows: [{ values: { title: "A", state: "open" } }, { values: { title: "C", state: "open" } }],
    });
  });

  it("reach no row outside of their filter, whatever is asked for", async () => {
    expect(await call("find", { where: { title: "B" } })).toMatchObject({ count: 0 });
    expect(await call("find", { where: { team: "red" } })).toBe("TOOL_INPUT_INVALID");
    expect(await call("find", { where: { secret: { startsWith: "s" } } })).toBe("TOOL_INPUT_INVALID");
    expect(await call("find", { sort: "secret" })).toBe("TOOL_INPUT_INVALID");
    expect(await call("update", { where: { title: "B" }, set: { state: "done" } })).toMatchObject({ count: 0 });
    expect(await call("update", { where: {}, set: { team: "red" } })).toBe("TOOL_INPUT_INVALID");
    expect(await call("delete", { where: { title: "B" } })).toEqual({ count: 0 });
    expect(await call("insert", { rows: [{ title: "x", team: "red" }] })).toBe("TOOL_INPUT_INVALID");
  });

  it("write within it, and as much as is allowed", async () => {
    const made = await call("insert", { rows: [{ title: "D" }] });
    expect(made).toMatchObject({ count: 1, rows: [{ values: { title: "D", state: "open" } }] });
    expect(await oven.values("tickets", '?filter={"title":"D"}')).toMatchObject([{ team: "blue", secret: null }]);
    expect(await call("update", { where: {}, set: { state: "done" } })).toBe("TOO_MANY_ROWS");
    expect(await call("insert", { rows: [{ title: "1" }, { title: "2" }, { title: "3" }] })).toBe("TOOL_INPUT_INVALID");
    expect(await call("delete", { where: { title: "D" } })).toEqual({ count: 1 });
  });

  it("take no row out of their filter", async () => {
    const writable = await oven.call("PUT", `table-tools/${toolId}`, { writable: ["team"] });
    expect(writable.body).toMatchObject({ writable: ["team"], where: { team: "blue" } });
    expect(await call("update", { where: { title: "A" }, set: { team: "red" } })).toBe("ROW_OUT_OF_REACH");
    expect(await oven.values("tickets", '?filter={"team":"red"}')).toHaveLength(1);
    await oven.call("PUT", `table-tools/${toolId}`, { writable: null });
  });

  it("need a person for each write unless an administrator says otherwise", async () => {
    await oven.call("PUT", `table-tools/${toolId}`, { needsApproval: true });
    expect(await call("find", {})).toMatchObject({ count: 2 });
    const { body } = await oven.call("POST", "tools/table.blue-tickets.delete/call", {
      arguments: { where: { title: "A" } },
    });
    expect(JSON.stringify(body)).toContain("APPROVAL_NEEDED");
    expect(await oven.values("tickets")).toHaveLength(3);
    await oven.call("PUT", `table-tools/${toolId}`, { needsApproval: false });
  });

  it("reach nothing once a column of their filter is gone, rather than everything", async () => {
    const { name, slug, description, unique, version, columns } = (await oven.call("GET", "tables/tickets")).body;
    const renamed = columns.map((one: { name: string }) => (one.name === "team" ? { ...one, name: "group" } : one));
    const body = { name, slug, description, unique, version, columns: renamed };
    expect((await oven.call("PUT", "tables/tickets", body)).status).toBe(200);
    expect(await call("find", {})).toMatchObject({ count: 2 });
    const without = renamed.filter((one: { name: string }) => one.name !== "group");
    const removal = { ...body, version: version + 1, columns: without, acceptLoss: true };
    expect((await oven.call("PUT", "tables/tickets", removal)).status).toBe(200);
    expect(await call("find", {})).toBe("TABLE_FILTER_INVALID");
    expect((await oven.call("DELETE", `table-tools/${toolId}`)).status).toBe(204);
    expect((await oven.call("GET", "tools/table.blue-tickets.find")).status).toBe(404);
  });
});
