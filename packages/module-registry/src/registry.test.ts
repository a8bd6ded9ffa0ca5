import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineModule } from "./define/define-module.ts";
import { defineRoute, ok } from "./define/define-route.ts";
import { Registry } from "./registry.ts";

const module = (name: string, more: Partial<Parameters<typeof defineModule>[0]> = {}) =>
  defineModule({ name, namespace: name, description: name, dependencies: [], ...more });
const route = (path: string) =>
  defineRoute({
    method: "GET",
    path,
    operation: false,
    summary: path,
    access: "session",
    handler: async () => ok(null),
  });

describe("the registry", () => {
  it("refuses a module whose dependency is not registered, naming it [004-002]", () => {
    const registry = new Registry();
    expect(() => registry.register(module("b", { dependencies: ["a"] }))).toThrow("b needs a");
  });

  it.each([
    ["a name", module("a"), module("a", { namespace: "other" })],
    ["a route", module("a", { routes: [route("x/[id]")] }), module("b", { routes: [route("x/[slug]")] })],
    [
      "an event",
      module("a", { events: { emits: { "x.y.z": z.object({}) }, listeners: {} } }),
      module("b", { events: { emits: { "x.y.z": z.object({}) }, listeners: {} } }),
    ],
    [
      "a permission",
      module("a", { permissions: [{ id: "x.y", title: "" }] }),
      module("b", { permissions: [{ id: "x.y", title: "" }] }),
    ],
  ])("refuses a second owner of %s", (_what, first, second) => {
    const registry = new Registry();
    registry.register(first);
    expect(() => registry.register(second)).toThrow(/twice/);
    expect(registry.modules()).toEqual([first]);
  });

  it("refuses a module that declares a route twice", () => {
    expect(() => new Registry().register(module("a", { routes: [route("x"), route("x")] }))).toThrow(/twice/);
  });
});
