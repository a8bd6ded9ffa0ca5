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
import { copyPackage, type PackageCopy } from "./testing/package-copy.ts";

const GERMAN = "packages/module-ai/i18n/de.json";

describe("a new kind of provider: one folder, one line", () => {
  let copy: PackageCopy;
  let models: ModelServer;
  let ai: ModuleDefinition;
  let oven: TestOven;
  beforeAll(async () => {
    copy = copyPackage(["packages/module-ai", "README.md", GERMAN], (read) =>
      generateProvider("deep-infra", undefined, read),
    );
    models = await startModelServer([{ text: "Hello." }], { models: ["small"] });
    const { createAiModule } = await copy.load("packages/module-ai/src/ai.module.ts");
    ai = createAiModule();
    const modules = [createSystemModule(), createRolesModule(), ai];
    const environment = { variables: { DEEP_INFRA_API_KEY: "k" }, outboundAllow: [new URL(models.url).origin] };
    oven = await startTestOven({ createRuntime, modules, environment });
  });
  afterAll(async () => {
    await oven.stop();
    await models.close();
    copy.remove();
  });

  it("passes the test that was written with it", () => {
    const test = "packages/module-ai/src/providers/deep-infra/deep-infra.provider.test.ts";
    expect(copy.runTest(test)).toMatchObject({ status: 0, output: expect.stringContaining("2 passed") });
  });

  it("is a kind that can be chosen, with its words in German", async () => {
    const { body } = await oven.call("GET", "ai-provider-kinds");
    const shown = body.find(({ id }: { id: string }) => id === "deep-infra");
    expect(shown).toMatchObject({ title: "Deep Infra", baseUrl: "https://api.deep-infra.com/v1" });
    const german = JSON.parse(copy.read(GERMAN));
    expect([german[shown.title], german[shown.help]]).toEqual(["Deep Infra", "Modelle von Deep Infra."]);
  });

  it("has a secret variable that README lists, and is set up by it", async () => {
    const declared = ai.variables.find(({ name }) => name === "DEEP_INFRA_API_KEY");
    expect(declared).toMatchObject({ isSecret: true });
    const line = `| \`DEEP_INFRA_API_KEY\` | none | ${declared?.description} |\n`;
    expect(copy.read("README.md")).toContain(line);
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
