import type { Principal } from "@oven/contract";
import { expect, it } from "vitest";
import { RowCache } from "./row-cache.ts";

const principal: Principal = { kind: "user", userId: 1, tenantId: 5, permissions: ["*"] };
const kept = (value: { id: number; tenantId: number | null; text?: string; many?: number[] }) => ({
  value,
  rowVersion: { table: "things", id: value.id, xmin: "7" },
});

it("a row is kept for its tenant alone, under the name that it was asked for by", () => {
  const rows = new RowCache();
  const row = kept({ id: 3, tenantId: 5 });
  rows.keep(principal, "shop", row);
  expect(rows.get(principal, "shop")).toBe(row);
  expect(rows.get(principal, "3")).toBeUndefined();
  expect(rows.get({ ...principal, tenantId: 6 }, "shop")).toBeUndefined();
  rows.forget(principal, "shop");
  expect(rows.get(principal, "shop")).toBeUndefined();
});

it("a shared row is kept by its number only: tomorrow its slug may be a row of the tenant's own", () => {
  const rows = new RowCache();
  const shared = kept({ id: 3, tenantId: null });
  rows.keep(principal, "shop", shared);
  rows.keep(principal, "3", shared);
  expect(rows.get(principal, "shop")).toBeUndefined();
  expect(rows.get(principal, "3")).toBe(shared);
});

it("what is large is not entry, and never more than a few hundred", () => {
  const rows = new RowCache();
  rows.keep(principal, "large", kept({ id: 1, tenantId: 5, text: "x".repeat(300_000) }));
  rows.keep(principal, "many", kept({ id: 2, tenantId: 5, many: Array.from({ length: 300_000 }, () => 0) }));
  expect([rows.get(principal, "large"), rows.get(principal, "many")]).toEqual([undefined, undefined]);
  for (let id = 1; id <= 201; id++) rows.keep(principal, String(id), kept({ id, tenantId: 5 }));
  expect([rows.get(principal, "1"), rows.get(principal, "201")?.value.id]).toEqual([undefined, 201]);
});
