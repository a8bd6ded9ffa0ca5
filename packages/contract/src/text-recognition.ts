import { z } from "zod";

/** A language that text is recognized in, by its code of ISO 639-3: the data of each is installed with OVEN. */
export const RecognitionLanguageSchema = z.enum(["eng", "deu"]);
export type RecognitionLanguage = z.infer<typeof RecognitionLanguageSchema>;

const LanguagesSchema = z
  .array(RecognitionLanguageSchema)
  .min(1)
  .refine((languages) => new Set(languages).size === languages.length, "name each language once")
  .describe("Languages of the pages: `eng` (English), `deu` (German), or both");

/** How a document that is added asks for text recognition. */
export const recognitionOptions = {
  recognizeText: z
    .boolean()
    .optional()
    .describe(
      "Whether pages of a PDF that have no text, such as scans, are read by text recognition. It takes seconds a page. Absent: as the document with this key has it, and not at all for a new one",
    ),
  recognitionLanguages: LanguagesSchema.optional().describe(
    "With `recognizeText`: languages of the pages, `eng` (English), `deu` (German) or both. Absent: `eng`",
  ),
};

/** The body of `POST /api/vector-stores/[id]/documents/[documentId]/recognize`. */
export const RecognizeTextSchema = z.strictObject({ languages: LanguagesSchema.default(["eng"]) });

/** Text recognition of a document: what was asked for, and how far it is. */
export const TextRecognitionSchema = z.strictObject({
  languages: LanguagesSchema,
  /** Pages that are through, with or without text, of all that have no text of their own; 0 of 0 before it began. */
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** The pages whose text was recognized, counted from 1. */
  pages: z.array(z.int().positive()),
});
export type TextRecognition = z.infer<typeof TextRecognitionSchema>;
