import { expect, test } from "vitest";
import { type EnvironmentKeys, environmentProviders } from "./environment-providers.ts";
import type { Provider } from "./model-provider.ts";

const NONE: EnvironmentKeys = { openaiApiKey: undefined, openaiBaseUrl: undefined };

function provider(id: string, keys: Partial<EnvironmentKeys>): Provider {
  const found = environmentProviders({ ...NONE, ...keys }).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no provider ${id}`);
  return found;
}

test("a key alone means OpenAI's own endpoint, with its prices and nothing stored there", () => {
  const openai = provider("openai", { openaiApiKey: "sk-test" });
  expect(openai).toMatchObject({ configured: true, title: "OpenAI", requestOptions: { openai: { store: false } } });
  expect(openai.languageModel?.("gpt-5").provider).toBe("openai.responses");
  expect(openai.vendor).toBe("openai");
});

test("a base URL means chat completions there, with or without a key, and no price of OpenAI's", () => {
  const openai = provider("openai", { openaiBaseUrl: "http://127.0.0.1:9/v1/" });
  expect(openai).toMatchObject({ configured: true, title: "OpenAI-compatible (127.0.0.1:9)" });
  expect(openai.languageModel?.("gpt-5").provider).toBe("openai.chat");
  expect(openai.requestOptions.openai).not.toHaveProperty("store");
  expect(openai.vendor).toBeUndefined();
});

test("without settings nothing is configured; each key configures its own provider", () => {
  expect(environmentProviders(NONE).map(({ id, configured }) => [id, configured])).toEqual([
    ["openai", false],
    ["anthropic", false],
    ["google", false],
  ]);
  expect(provider("anthropic", { anthropicApiKey: "k" })).toMatchObject({ configured: true, vendor: "anthropic" });
  expect(provider("google", { googleApiKey: "k" })).toMatchObject({ configured: true, vendor: "google" });
});

test("a server that does not list its models is an error that says what to do", async () => {
  await expect(provider("openai", { openaiBaseUrl: "http://127.0.0.1:9/v1" }).listModels()).rejects.toMatchObject({
    code: "MODEL_UNAVAILABLE",
    fix: expect.stringContaining("alias"),
  });
});
