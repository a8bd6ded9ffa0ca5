import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROVIDERS } from "../../../packages/module-ai/src/providers/all-providers.ts";

const packages = join(import.meta.dirname, "../../../packages");
const FOUNDATION = ["contract", "db", "engine", "module-registry", "installation", "testing"];

it("no package below the modules knows a vendor of models: neither a variable nor a kind", () => {
  const names = PROVIDERS.flatMap(({ kind, environment }) => [
    `"${kind}"`,
    ...(environment === undefined ? [] : [environment.key.name, environment.address?.name]),
  ]).filter((name) => name !== undefined);
  expect(names.length).toBeGreaterThan(8);
  const found = FOUNDATION.flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.includes("/testing/"))
      .flatMap((file) => {
        const source = readFileSync(join(packages, name, "src", file), "utf8");
        return names.filter((word) => source.includes(word)).map((word) => `${name}/src/${file}: ${word}`);
      }),
  );
  expect(found).toEqual([]);
});
