import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { App } from "./app-steps.ts";
import { computed, isExpression, js } from "./app-values.ts";

/** The model that was asked before a node could name one. */
const FIRST_MODEL = "gpt-4-vision-preview";

/** What OpenAI's node does with pictures at an address: it stays a request. A picture that is a file becomes a step of ours. */
export const OPENAI_IMAGE: App = {
  title: "OpenAI",
  credential: "openAiApi",
  secret: "openai",
  plan: (given) => {
    if (given.version >= 2)
      throw new NoEquivalent("there is no node here that does image: analyze as its version 2 does");
    given.choice("inputType", "url", ["url"]);
    given.skip("binaryPropertyName");
    const model =
      given.version < 1.4 ? FIRST_MODEL : given.get("modelId") === undefined ? "gpt-4o" : given.locator("modelId");
    const options = given.group("options");
    const detail = options.or("detail", "auto");
    const urls = given.need("imageUrls", "picture");
    const text = given.or("text", "What's in this image?");
    const body = computed(
      `({ model: ${js(model)}, messages: [{ role: "user", content: [{ type: "text", text: ${js(text)} }, ...${addresses(js(urls))}.map((url) => ({ type: "image_url", image_url: { url, detail: ${js(detail)} } }))] }], max_tokens: ${js(options.or("maxTokens", 300))} })`,
    );
    const request = { method: "POST", url: "https://api.openai.com/v1/chat/completions", body } as const;
    const notes = isExpression(model) ? [] : [`It asks the model ${String(model)} of OpenAI itself.`];
    if (!given.flag("simplify", true)) return { steps: [request], notes };
    return {
      steps: [{ ...request, what: "request" }, { code: "return { content: $json.choices[0].message.content };" }],
      notes,
    };
  },
};

const addresses = (source: string): string => `String(${source}).split(",").map((url) => url.trim())`;

/** Whether a node of OpenAI asks about pictures at an address. */
export const isAboutImages = ({ resource, operation, inputType }: JsonObject): boolean =>
  resource === "image" && operation === "analyze" && inputType !== "base64";
