import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import { createSandbox } from "@oven/sandbox";
import { afterAll, expect, test } from "vitest";
import { toProgramTools } from "./program-tools.ts";
import { toStubs } from "./python-stubs.ts";

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const tool = (id: string, inputSchema: JsonObject, outputSchema: JsonObject = {}, more: object = {}): ToolInfo => ({
  ...{ id, title: id, description: `What ${id} does`, inputSchema, outputSchema },
  ...{ effect: "pure", needsApproval: false, permission: null, source: "tool" as const, ...more },
});

const ORDER: JsonObject = {
  type: "object",
  properties: {
    id: { type: "integer" },
    state: { enum: ["open", "paid"] },
    lines: { type: "array", items: { type: "object", properties: { price: { type: "number" } }, required: ["price"] } },
    note: { type: ["string", "null"] },
  },
  required: ["id", "state", "lines"],
};
const TOOLS = [
  tool(
    "orders.get",
    { type: "object", properties: { note: { type: "string" }, id: { type: "integer" } }, required: ["id"] },
    ORDER,
  ),
  tool("print", { type: "object", properties: {} }, { type: "string" }),
  tool(
    "mail-send",
    { type: "object", properties: { "reply-to": { type: "string" }, from: { type: "string" } } },
    {},
    {
      description: 'Says """hi""" \\ to all',
      needsApproval: true,
    },
  ),
  tool("mail.send", { anyOf: [{ $ref: "#/$defs/a" }] }, { type: "object", additionalProperties: { type: "integer" } }),
];

test("tools become functions under names that Python can call, each once", () => {
  const tools = toProgramTools(TOOLS, ["orders_get"]);
  expect(tools.map(({ name, parameters }) => [name, parameters])).toEqual([
    ["orders_get_2", ["id", "note"]],
    ["print_tool", []],
    ["mail_send", []],
    ["mail_send_2", []],
  ]);
});

test("schemas become types that the checker holds programs to", async () => {
  const stubs = toStubs(toProgramTools(TOOLS, []), ["amount"]);
  expect(stubs).toContain("async def orders_get(id: int, note: str = ...) -> OrdersGetResult:");
  expect(stubs).toContain('state: Literal["open", "paid"]');
  expect(stubs).toContain("note: NotRequired[str | None]");
  expect(stubs).toContain("async def mail_send_2() -> dict[str, int]:");
  const check = (code: string) => sandbox.check({ code, inputNames: ["amount"], stubs });
  const honest = `order = await orders_get(amount, note="x")
print(order["lines"][0]["price"] * 2, order.get("note"))
await mail_send(**{"reply-to": "a"})
(await mail_send_2())["n"] + 1`;
  expect(await check(honest)).toEqual([]);
  expect(await check('await orders_get("x")')).toMatchObject([{ line: 1 }]);
  expect(await check('order = await orders_get(1)\norder["lines"][0]["cost"]')).toMatchObject([{ line: 2 }]);
  expect(await check('order = await orders_get(1)\nif order["state"] == 3 + "x":\n  pass')).toMatchObject([
    { line: 2 },
  ]);
});
