import type { CataloguedService } from "@oven/contract/api";

export const deepl: CataloguedService = {
  slug: "deepl",
  name: "DeepL",
  category: "ai",
  description: "Translation of texts and documents, with glossaries.",
  documentation: "https://developers.deepl.com/api-reference",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/DeepLcom/openapi/main/openapi.yaml",
  },
  serverUrl: "https://api.deepl.com",
  auth: {
    type: "api-key",
    in: "header",
    name: "Authorization",
    prefix: "DeepL-Auth-Key ",
  },
  steps: [
    "Create a key at deepl.com/your-account/keys.",
    "A key that ends with :fx belongs to the server api-free.deepl.com.",
  ],
  operations: [
    "POST /v2/translate",
    "POST /v2/write/rephrase",
    "GET /v2/languages",
    "GET /v2/usage",
    "GET /v3/glossaries",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
