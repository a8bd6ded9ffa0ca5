import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

/** One question of a form, made from a property of the workflow's payload schema. */
export const FormFieldSchema = z.strictObject({
  name: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  required: z.boolean(),
  /** `text-list`: a text per line. `choices`: some of them. `json`: whatever no other control is for. */
  control: z.enum([
    "text",
    "long-text",
    "email",
    "date",
    "date-time",
    "time",
    "number",
    "integer",
    "boolean",
    "choice",
    "choices",
    "text-list",
    "json",
  ]),
  /** The values that a field of the kind `choice` or `choices` offers. */
  choices: z.array(JsonSchema),
  /** What people read for each of `choices`. */
  choiceLabels: z.array(z.string()),
  /** A number that JSON cannot hold exactly is taken as text. */
  longAsText: z.boolean(),
  /** What is there at first; null: nothing. */
  initial: JsonSchema,
});
export type FormField = z.infer<typeof FormFieldSchema>;

/** A form as strangers see it. */
export const PublicFormSchema = z.strictObject({
  title: z.string(),
  description: z.string().nullable(),
  submitLabel: z.string(),
  /** Closed forms take nothing and have no fields. */
  open: z.boolean(),
  fields: z.array(FormFieldSchema),
});
export type PublicForm = z.infer<typeof PublicFormSchema>;

/** The body of `POST /api/forms/[token]`. */
export const FormSubmissionSchema = z.strictObject({
  /** Made when the page was opened: what is sent twice starts one run. */
  submission: z.uuid(),
  values: JsonObjectSchema,
  /** People do not see this field; whoever fills it in is a program. */
  website: z.string().max(1_000).default(""),
});
export type FormSubmission = z.infer<typeof FormSubmissionSchema>;

/** A form answer, as `POST /api/forms/[token]` answers it. */
export const FormAnswerSchema = z.strictObject({
  message: z.string(),
  /** Where to go on; null: nowhere. */
  redirect: z.string().nullable(),
});
export type FormAnswer = z.infer<typeof FormAnswerSchema>;
