import type { Json, JsonObject } from "@oven/contract";
import { ownAddress } from "./apps/app-steps.ts";
import type { N8nContext } from "./n8n-context.ts";
import { type N8nDocument, type N8nNode, textOf } from "./n8n-document.ts";

/** The variable of the run that has the address of an app. */
const variableOf = (name: string): string => `${name}_address`;

/** What an address looks like, where that is not clear. */
const EXAMPLES: Readonly<Record<string, string>> = {
  n8n: " with /api/v1 at its end",
  mailchimp: ", which begins with the data center that a key ends with, such as https://us1.api.mailchimp.com",
  mailgun: " with the domain of the sender, such as https://api.mailgun.net/v3/example.com",
};

/** The address of a request to an app at an address of one's own: that is in its credential, so a variable of the run has it here. */
export function atOwnAddress({ parameters, path }: N8nNode, url: Json, { reporter }: N8nContext): Json {
  const name = textOf(parameters.ownAddress);
  if (name === undefined || typeof url !== "string") return url;
  const variable = variableOf(name);
  const example = EXAMPLES[name] ?? ", without a slash at its end";
  const advice = `Write the address of ${String(parameters.appTitle)}${example}, into this variable of the workflow: until then it is ${ownAddress(name)}, which leads nowhere.`;
  reporter.setting("configuration", variable, advice, path);
  return url.replace(ownAddress(name), () => `{{ $.${variable} }}`);
}

/** Variables that a run begins with: the addresses of its apps, which are not filled in yet. */
export function addressesIn(document: N8nDocument): JsonObject {
  const names = [...document.nodes.values()].flatMap(({ parameters }) => textOf(parameters.ownAddress) ?? []);
  return Object.fromEntries([...new Set(names)].map((name) => [variableOf(name), ownAddress(name)]));
}
