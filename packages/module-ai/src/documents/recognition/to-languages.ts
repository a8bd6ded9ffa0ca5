import type { AddDocument, RecognitionLanguage } from "@oven/contract/ai";

const DEFAULT_LANGUAGES: RecognitionLanguage[] = ["eng"];

/** The languages of a document that is added; null: it asks for no text recognition; undefined: it says nothing of it. */
export function toLanguages({
  recognizeText,
  recognitionLanguages = DEFAULT_LANGUAGES,
}: Pick<AddDocument, "recognizeText" | "recognitionLanguages">): readonly RecognitionLanguage[] | null | undefined {
  if (recognizeText === undefined) return undefined;
  return recognizeText ? [...recognitionLanguages] : null;
}
