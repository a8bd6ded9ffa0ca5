import { z } from "zod";

export const FormConfigSchema = z.strictObject({
  title: z.string().trim().min(1).max(200).optional().describe("Absent: the trigger's name"),
  description: z.string().max(5_000).optional(),
  order: z
    .array(z.string().max(200))
    .max(200)
    .default([])
    .describe("Names of questions that come first; then what is required"),
  submitLabel: z.string().trim().min(1).max(60).default("Send"),
  thanks: z.string().min(1).max(2_000).default("Thank you. This was received.").describe("What is shown afterwards"),
  redirectUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe("Where to go on instead"),
});
export type FormConfig = z.output<typeof FormConfigSchema>;
