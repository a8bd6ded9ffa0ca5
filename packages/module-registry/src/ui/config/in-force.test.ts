import type { ConfigSource } from "@oven/contract/system";
import { expect, it } from "vitest";
import { holdsFor, instancesOf } from "./in-force.ts";

let id = 0;
const value = (source: ConfigSource, scopeId: string | null = null) => ({ id: ++id, source, scopeId, value: source });

it("holds what is strongest for an instance: the tenant's own for all comes before the installation's for one", () => {
  const all = [
    value("platform-module"),
    value("platform-instance", "7"),
    value("tenant-module"),
    value("tenant-instance", "8"),
  ];
  const of = (stored: typeof all, scopeId: string) => holdsFor({ stored, defaultValue: "default" }, scopeId).value;
  expect([of(all, "7"), of(all, "8"), of(all, "9")]).toEqual(["tenant-module", "tenant-instance", "tenant-module"]);
  expect(of(all.slice(0, 2), "7")).toBe("platform-instance");
  expect(of(all.slice(1, 2), "8")).toBe("default");
  expect(instancesOf({ stored: [...all, value("tenant-instance", "7")] })).toEqual(["7", "8"]);
});
