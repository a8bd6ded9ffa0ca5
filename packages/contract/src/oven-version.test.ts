import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OVEN_VERSION } from "./oven-version.ts";

it("is the version of the repository", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(OVEN_VERSION).toBe(version);
});
