import { SecretNameSchema } from "@oven/contract/access";
import { z } from "zod";

const MEBIBYTE = 1_048_576;

export const BucketConfigSchema = z.strictObject({
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "a bucket such as incoming-invoices"),
  prefix: z.string().max(900).default("").describe("Only objects whose key begins so, such as invoices/"),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .regex(/^https?:\/\/[^/?#@]+\/?$/, "an address such as https://minio.example:9000")
    .optional()
    .describe("Address of a store that speaks the protocol of Amazon S3; Amazon's unless set"),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/)
    .default("us-east-1"),
  keyId: z.string().min(1).max(200).describe("Access key ID. Its owner needs to list the bucket and to read objects"),
  secretKey: SecretNameSchema.describe(
    "Name of a secret that is bound to the store's host, such as minio.example:9000",
  ),
  existing: z.enum(["skip", "take"]).default("skip").describe("Objects that lay there when the trigger was saved"),
  maxFileBytes: z
    .int()
    .min(1)
    .max(25 * MEBIBYTE)
    .default(5 * MEBIBYTE)
    .describe("Larger ones start a run without their content"),
  everySeconds: z.int().min(10).max(86_400).default(60),
});
export type BucketConfig = z.output<typeof BucketConfigSchema>;

export const BUCKET_SAMPLE = {
  bucket: "incoming-invoices",
  key: "invoices/2026-01.pdf",
  etag: "9b2cf535f27731c974343645a3985328",
  sizeBytes: 1_024,
  lastModified: "2026-01-01T09:00:00.000Z",
  file: { filename: "2026-01.pdf", contentType: "application/pdf", sizeBytes: 1_024, skipped: "only an example" },
};
