import type { EnvironmentVariable } from "@oven/module-registry";
import { z } from "zod";

const NAME = "OVEN_RECOGNITION_PAGES";
const DEFAULT_PAGES = 100;

/** How many pages of a document are recognized at most. */
export const recognitionVariable: EnvironmentVariable = {
  name: NAME,
  description:
    "Pages of one document that [text recognition](docs/guides/knowledge.md#text-recognition) reads at most, 100 if it is unset; `0` turns it off",
  schema: z.string().regex(/^\d{1,5}$/, "a whole number of at most 5 digits"),
};

/** @param variables as they are declared and checked */
export function readRecognitionPages(variables: Readonly<Record<string, string | undefined>> = {}): number {
  const value = variables[NAME];
  return value === undefined ? DEFAULT_PAGES : Number(value);
}
