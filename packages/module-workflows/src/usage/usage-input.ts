import { z } from "zod";

/** What names a count, the same in both nodes. */
export const usageInput = {
  metric: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9][\w.:-]*$/, "a name such as emails.sent")
    .describe("What is counted, such as emails.sent"),
  subject: z
    .union([z.string(), z.number()])
    .default("")
    .transform(String)
    .refine(
      (text) => text.length <= 200 && text.isWellFormed() && !text.includes("\0"),
      "at most 200 characters of text",
    )
    .describe("Of whom it is counted, such as a customer's number; left out: of the whole tenant"),
};
