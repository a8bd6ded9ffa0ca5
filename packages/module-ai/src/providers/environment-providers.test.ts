import { expect, test } from "vitest";
import { PROVIDERS } from "./all-providers.ts";
import { environmentProviders } from "./environment-providers.ts";
import type { Provider } from "./model-provider.ts";

function provider(id: string, variables: Record<string, string>): Provider {
  const found = environmentProviders(variables).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no provider ${id}`);
  return found;
}

test("a key alone means OpenAI's own endpoint, with its prices and nothing stored there", () => {
  const openai = provider("openai", { OPENAI_API_KEY: "sk-test" });
  expect(openai).toMatchObject({ configured: true, title: "OpenAI", requestOptions: { openai: { store: false } } });
  expect(openai.languageModel?.("gpt-5").provider).toBe("openai.responses");
  expect(openai.vendor).toBe("openai");
});

test("a base URL means chat completions there, with or without a key, and no price of OpenAI's", () => {
  const openai = provider("openai", { OPENAI_BASE_URL: "http://127.0.0.1:9/v1/" });
  expect(openai).toMatchObject({ configured: true, title: "OpenAI-compatible (127.0.0.1:9)" });
  expect(openai.languageModel?.("gpt-5").provider).toBe("openai.chat");
  expect(openai.requestOptions.openai).not.toHaveProperty("store");
  expect(openai.vendor).toBeUndefined();
});

test("without settings nothing is configured; each key configures its own provider", () => {
  const kinds = PROVIDERS.filter(({ environment }) => environment !== undefined).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["openai", "anthropic", "google"]));
  expect(environmentProviders({}).map(({ id, configured }) => [id, configured])).toEqual(
    kinds.map((id) => [id, false]),
  );
  expect(provider("anthropic", { ANTHROPIC_API_KEY: "k" })).toMatchObject({ configured: true, vendor: "anthropic" });
  expect(provider("google", { GOOGLE_GENERATIVE_AI_API_KEY: "k" })).toMatchObject({
    configured: true,
    vendor: "google",
  });
});

test("a server that does not list its models is an error that says what to do", async () => {
  await expect(provider("openai", { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }).listModels()).rejects.toMatchObject({
    code: "MODEL_UNAVAILABLE",
    fix: expect.stringContaining("alias"),
  });
});
