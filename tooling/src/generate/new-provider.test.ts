import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createRuntime,
  createSystemModule,
  type ModuleDefinition,
} from "../../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../../packages/module-roles/src/index.ts";
import {
  type ModelServer,
  startModelServer,
  startTestOven,
  type TestOven,
} from "../../../packages/testing/src/index.ts";
import { generateProvider } from "./generate-provider.ts";
import { formatSource, writeFiles } from "./generated-file.ts";

const root = join(import.meta.dirname, "../../..");
const PACKAGE = "packages/module-ai";

/** module-ai as it would be after `pnpm gen provider deep-infra`, loaded from a copy of its folder. */
async function withDeepInfra(copy: string): Promise<ModuleDefinition> {
  for (const path of [PACKAGE, "README.md", "packages/i18n/src/german.json"])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (from) => basename(from) !== "node_modules",
    });
  symlinkSync(join(root, PACKAGE, "node_modules"), join(copy, PACKAGE, "node_modules"));
  const files = generateProvider("deep-infra", undefined, (path) => readFileSync(join(copy, path), "utf8"));
  writeFiles(
    copy,
    files.map((file) => ({ ...file, text: formatSource(root, file) })),
  );
  const { createAiModule } = await import(pathToFileURL(join(copy, PACKAGE, "src/ai.module.ts")).href);
  return createAiModule();
}

describe("a new kind of provider: one folder, one line", () => {
  let copy: string;
  let models: ModelServer;
  let ai: ModuleDefinition;
  let oven: TestOven;
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), "oven-new-provider-"));
    models = await startModelServer([{ text: "Hello." }], { models: ["small"] });
    ai = await withDeepInfra(copy);
    const modules = [createSystemModule(), createRolesModule(), ai];
    const environment = { variables: { DEEP_INFRA_API_KEY: "k" }, outboundAllow: [new URL(models.url).origin] };
    oven = await startTestOven({ createRuntime, modules, environment });
  });
  afterAll(async () => {
    await oven.stop();
    await models.close();
    rmSync(copy, { recursive: true, force: true });
  });

  it("is a kind that can be chosen, with its words in German", async () => {
    const { body } = await oven.call("GET", "ai-provider-kinds");
    const shown = body.find(({ id }: { id: string }) => id === "deep-infra");
    expect(shown).toMatchObject({ title: "Deep Infra", baseUrl: "https://api.deep-infra.com/v1" });
    const german = JSON.parse(readFileSync(join(copy, "packages/i18n/src/german.json"), "utf8"));
    expect([german[shown.title], german[shown.help]]).toEqual(["Deep Infra", "Modelle von Deep Infra."]);
  });

  it("has a secret variable that README lists, and is set up by it", async () => {
    const declared = ai.variables.find(({ name }) => name === "DEEP_INFRA_API_KEY");
    expect(declared).toMatchObject({ isSecret: true });
    const line = `| \`DEEP_INFRA_API_KEY\` | none | ${declared?.description} |\n`;
    expect(readFileSync(join(copy, "README.md"), "utf8")).toContain(line);
    const { body } = await oven.call("GET", "ai-providers/deep-infra");
    expect(body).toMatchObject({ kind: "deep-infra", source: "environment", configured: true });
  });

  it("answers a tenant that has set it up", async () => {
    const own = { id: "own", kind: "deep-infra", baseUrl: models.url };
    expect((await oven.call("POST", "ai-providers", own)).status).toBe(201);
    const asked = { model: "own:small", messages: [{ role: "user", content: "Hi" }] };
    expect((await oven.call("POST", "ai/generate", asked)).body).toMatchObject({ text: "Hello." });
  });
});
