import { expect, test } from "vitest";
import { createWireNames } from "./wire-names.ts";

test("dots become underscores and come back as the id", () => {
  const names = createWireNames(["orders.get", "orders.policy"]);
  expect(names.toWire("orders.get")).toBe("orders_get");
  expect(names.toId("orders_get")).toBe("orders.get");
  expect(names.toId("orders_policy")).toBe("orders.policy");
});

test("colliding ids both get eight hash characters, whatever their order", () => {
  const one = createWireNames(["orders.get", "orders_get"]);
  const other = createWireNames(["orders_get", "orders.get"]);
  expect(one.toWire("orders.get")).toMatch(/^orders_get_[0-9a-f]{8}$/);
  expect(one.toWire("orders.get")).not.toBe(one.toWire("orders_get"));
  expect(other.toWire("orders.get")).toBe(one.toWire("orders.get"));
  expect(one.toId(one.toWire("orders_get"))).toBe("orders_get");
});

test("a name over 64 characters is cut to 64 with its hash", () => {
  const id = `orders.${"x".repeat(80)}`;
  const names = createWireNames([id, `${id}y`]);
  expect(names.toWire(id)).toHaveLength(64);
  expect(names.toWire(id)).not.toBe(names.toWire(`${id}y`));
  expect(names.toId(names.toWire(id))).toBe(id);
});

test("a tool the model invented keeps its name", () => {
  expect(createWireNames(["orders.get"]).toId("delete_everything")).toBe("delete_everything");
});
