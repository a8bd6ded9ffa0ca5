import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { toOperationTypes } from "./operation-types.ts";

it("the client knows the routes as they are: `pnpm client:types` would change nothing", async () => {
  const file = join(import.meta.dirname, "../../../packages/client/src/generated/operations.ts");
  const text = await toOperationTypes(installedModules({ demo: true }));
  expect(readFileSync(file, "utf8") === text, "run `pnpm client:types`").toBe(true);
});
