import { z } from "zod";

/** A function, method or macro that an expression can call, in one of its forms. */
export const CelFunctionSchema = z.strictObject({
  name: z.string(),
  /** What it is called on, such as `string`, `list` or `cel`; null: on nothing. */
  receiver: z.string().nullable(),
  /** As it is written: `substring(int, int)`, `all(x, condition)`. */
  form: z.string(),
  returns: z.string(),
  description: z.string(),
});
export type CelFunction = z.infer<typeof CelFunctionSchema>;

/** The answer of `GET expressions/cel`: everything that an expression can name beside the run's data. */
export const CelLanguageSchema = z.strictObject({
  variables: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  functions: z.array(CelFunctionSchema),
});
export type CelLanguage = z.infer<typeof CelLanguageSchema>;

/** The body of `POST expressions/cel/check`. */
export const CheckCelBodySchema = z.strictObject({ expression: z.string().max(20_000) });

/** Where a text is no CEL, in UTF-16 units of the text, and why; null: it can be computed. */
export const CelCheckSchema = z.strictObject({
  problem: z
    .strictObject({
      message: z.string(),
      fix: z.string(),
      start: z.int().nonnegative(),
      end: z.int().nonnegative(),
    })
    .nullable(),
});
export type CelCheck = z.infer<typeof CelCheckSchema>;
