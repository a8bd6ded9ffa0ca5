import { addToList } from "./add-to-list.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGerman } from "./german-words.ts";
import { toPascal, toTitle } from "./names.ts";

const FOLDER = "packages/module-ai/src/providers";
const LIST = `${FOLDER}/all-providers.ts`;
const README = "README.md";
/** What follows README's table of settings. */
const AFTER_SETTINGS = "\n\nAn empty variable counts as unset.";

interface ProviderNames {
  kind: string;
  variable: string;
  title: string;
  /** The variable of the process that has the key. */
  key: string;
  address: string;
}

const GERMAN = "packages/module-ai/i18n/de.json";

/**
 * A new kind of model provider, whose API is like OpenAI's: its folder with its test, its line in the list, its line in README's
 * table of settings, and its German words.
 * @param kind such as `mistral` or `deep-infra`
 * @param address of its API; a guess when it is left out
 * @param read the text of a file of the repository
 */
export function generateProvider(
  kind: string,
  address: string | undefined,
  read: (path: string) => string,
): GeneratedFile[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kind) || kind.length > 32)
    throw new Error(
      `${JSON.stringify(kind)} is not a kind of provider; use up to 32 lower-case letters, digits and single dashes`,
    );
  const url = address ?? `https://api.${kind}.com/v1`;
  if (!/^https?:\/\/[^/]+/.test(url) || url.endsWith("/") || !URL.canParse(url))
    throw new Error(`${url} is not an address such as https://api.${kind}.com/v1`);
  const pascal = toPascal(kind);
  const provider: ProviderNames = {
    kind,
    variable: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}Provider`,
    title: kind.split("-").map(toTitle).join(" "),
    key: `${kind.toUpperCase().replaceAll("-", "_")}_API_KEY`,
    address: url,
  };
  const { title, variable } = provider;
  const words = { [title]: title, [`Models of ${title}.`]: `Modelle von ${title}.` };
  return [
    { path: `${FOLDER}/${kind}/${kind}.provider.ts`, text: providerSource(provider), kind: "new" },
    { path: `${FOLDER}/${kind}/${kind}.provider.test.ts`, text: providerTest(provider), kind: "new" },
    {
      path: LIST,
      text: addToList(read(LIST), { entry: variable, value: variable, from: `./${kind}/${kind}.provider.ts` }),
      kind: "changed",
    },
    { path: README, text: withSetting(read(README), provider), kind: "changed" },
    { path: GERMAN, text: withGerman(read(GERMAN), words), kind: "changed" },
  ];
}

function withSetting(readme: string, { key, title }: ProviderNames): string {
  if (readme.includes(`\`${key}\``)) throw new Error(`${README} has a line for ${key} already`);
  if (!readme.includes(AFTER_SETTINGS))
    throw new Error(`${README} has no "${AFTER_SETTINGS.trim()}" after its settings`);
  return readme.replace(AFTER_SETTINGS, `\n| \`${key}\` | none | Key for ${title} |${AFTER_SETTINGS}`);
}

function providerSource({ kind, variable, title, key, address }: ProviderNames): string {
  return `import type { ProviderDefinition } from "../define-provider.ts";
import { openaiCompatibleApi } from "../openai-compatible/openai-compatible.api.ts";

export const ${variable}: ProviderDefinition = {
  kind: "${kind}",
  title: "${title}",
  help: "Models of ${title}.",
  baseUrl: "${address}",
  environment: { key: { name: "${key}", description: "Key for ${title}" } },
  open: openaiCompatibleApi,
};
`;
}

function providerTest({ kind, title, key }: ProviderNames): string {
  return `import { startModelServer } from "@oven/testing";
import { expect, it } from "vitest";
import { startAi } from "../../model/testing/start-ai.ts";
import { environmentProviders } from "../environment-providers.ts";

it("is set up for everybody by ${key}", () => {
  const [provider] = environmentProviders({ ${key}: "k" }).filter(({ configured }) => configured);
  expect(provider).toMatchObject({ id: "${kind}", title: "${title}", vendor: "${kind}" });
});

it("answers a tenant that has set it up", async () => {
  const server = await startModelServer([{ text: "Hello." }], { models: ["small"] });
  const ai = await startAi({ environment: { outboundAllow: [new URL(server.url).origin] } });
  try {
    await ai.invoke("POST", "ai-providers", { body: { id: "own", kind: "${kind}", baseUrl: server.url } });
    expect(await ai.services.ai.testProvider(1, "own")).toMatchObject({ ok: true, models: ["small"] });
    const answer = await ai.services.ai.generate({
      model: "own:small",
      messages: [{ role: "user", content: "Hi" }],
      caller: { tenantId: 1, userId: 1 },
    });
    expect(answer.text).toBe("Hello.");
  } finally {
    await ai.stop();
    await server.close();
  }
});
`;
}
