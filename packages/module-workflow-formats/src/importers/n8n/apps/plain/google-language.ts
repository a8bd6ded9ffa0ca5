import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { App } from "../app-steps.ts";
import { isExpression } from "../app-values.ts";
import { plainApp } from "../plain-app.ts";

/** Services of Google that read a text. */

export const GOOGLE_TRANSLATE: App = plainApp({
  ...{ title: "Google Translate", credential: "googleTranslateOAuth2Api", oauth: "googleTranslateOAuth2Api" },
  ...{ secret: "google-translate", base: "https://translation.googleapis.com" },
  resource: "language",
  operation: "translate",
  operations: {
    "language:translate": {
      ...{ method: "POST", path: "/language/translate/v2", fields: "q=text target=translateTo" },
      take: "$json.data.translations[0]",
    },
  },
});

export const GOOGLE_NATURAL_LANGUAGE: App = plainApp({
  ...{ title: "Google Cloud Natural Language", credential: "googleCloudNaturalLanguageOAuth2Api" },
  ...{ secret: "google-natural-language", base: "https://language.googleapis.com" },
  resource: "document",
  operation: "analyzeSentiment",
  operations: {
    "document:analyzeSentiment": (given) => {
      const options = given.group("options");
      const isContent = given.choice("source", "content", ["content", "gcsContentUri"]) === "content";
      return {
        ...{ method: "POST", path: "/v1/documents:analyzeSentiment" },
        fields: isContent ? "document.content=content" : "document.gcsContentUri=gcsContentUri",
        fixed: {
          document: { type: options.or("documentType", "PLAIN_TEXT") },
          encodingType: options.or("encodingType", "UTF16"),
        },
        more: { options: "document.language=language!" },
      };
    },
  },
});

export const GOOGLE_PERSPECTIVE: App = plainApp({
  ...{ title: "Google Perspective", credential: "googlePerspectiveOAuth2Api", secret: "google-perspective" },
  base: "https://commentanalyzer.googleapis.com",
  operation: "analyzeComment",
  operations: {
    ":analyzeComment": (given) => {
      const asked = given.list("requestedAttributesUi", "requestedAttributesValues").map((attribute) => {
        const name = attribute.need("attributeName");
        if (isExpression(name)) throw new NoEquivalent("what it looks for is computed");
        const score = { scoreType: "probability", scoreThreshold: attribute.or("scoreThreshold", 0) };
        return [String(name).toUpperCase(), score] as const;
      });
      if (asked.length === 0) throw new NoEquivalent("it looks for nothing");
      const languages = given.group("options").get("languages");
      return {
        ...{ method: "POST", path: "/v1alpha1/comments:analyze", fields: "comment.text=text" },
        fixed: {
          comment: { type: "PLAIN_TEXT" },
          requestedAttributes: Object.fromEntries(asked),
          ...(languages === undefined ? {} : { languages }),
        },
      };
    },
  },
});
