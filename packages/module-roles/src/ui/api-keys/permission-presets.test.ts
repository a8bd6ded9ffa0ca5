import { expect, it } from "vitest";
import { PRESETS, parsePermissions } from "./permission-presets.ts";

it("reads permissions in any separation, once each", () => {
  expect(parsePermissions(" agent-workflows.execute, reviews.*\nreviews.* ")).toEqual([
    "agent-workflows.execute",
    "reviews.*",
  ]);
});

it("offers only permissions of the form the server takes", () => {
  for (const { permissions } of PRESETS) {
    for (const permission of permissions) expect(permission).toMatch(/^(\*|[a-z][a-z0-9-]*\.(\*|[a-z][a-z0-9-]*))$/);
  }
});
