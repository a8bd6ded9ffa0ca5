import { JsonSchema, OvenError } from "@oven/contract";
import { declaredCharset } from "@oven/contract/text";
import { compileValue, ExpressionSyntaxError, parsePath } from "@oven/engine";
import { AddressRanges, SignatureSchema } from "@oven/module-registry";
import { z } from "zod";

const MAX_BODY_BYTES = 5 * 1_048_576;
export const WEBHOOK_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const seconds = z.int().min(1).max(60).default(30).describe("To wait at most; after that the answer is 202");

const ResponseSchema = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("accepted") }).describe("202 at once"),
  z.strictObject({ mode: z.literal("wait"), seconds }).describe("200 with the run's output"),
  z
    .strictObject({
      mode: z.literal("custom"),
      seconds,
      status: z.union([z.int().min(200).max(599), z.string().max(500)]).default(200),
      headers: z.record(z.string().max(64), z.string().max(2_000)).default({}),
      body: JsonSchema.default("$.output"),
    })
    .describe("Made from the run: $.output is what it answered"),
]);
export type ResponseConfig = z.output<typeof ResponseSchema>;

export const WebhookConfigSchema = z.strictObject({
  methods: z.array(z.enum(WEBHOOK_METHODS)).min(1).default(["POST"]),
  signature: SignatureSchema.default({ style: "none" }),
  windowSeconds: z.int().min(10).max(3_600).default(300).describe("How far a signed time may be from now"),
  deliveryId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "A header's name, or a $.path into what arrives. What has the same id starts one run. Absent: as the style says",
    ),
  maxBytes: z.int().min(1).max(MAX_BODY_BYTES).default(1_048_576),
  longNumbers: z
    .enum(["refuse", "text"])
    .default("refuse")
    .describe(
      "Numbers with more digits than a number here has: `refuse` answers 400, `text` hands them on as text, as the workflow's payload schema may too",
    ),
  maxFiles: z.int().min(0).max(100).default(20).describe("Files of one form; `maxBytes` holds for all of it"),
  charset: z
    .string()
    .max(40)
    .refine((label) => declaredCharset(`;charset="${label}"`) !== undefined, "a charset such as windows-1252")
    .optional()
    .describe("Of bodies and queries that declare none, such as windows-1252; else UTF-8"),
  allowedAddresses: z.array(z.string().max(64)).max(100).optional().describe("Addresses or networks: 192.0.2.0/24"),
  response: ResponseSchema.default({ mode: "accepted" }),
});
export type WebhookConfig = z.output<typeof WebhookConfigSchema>;

/** What a sender sees of the request; what may prove who they are is left out. */
export const WEBHOOK_SAMPLE = {
  body: { id: "evt_1", type: "order.paid" },
  headers: { "content-type": "application/json" },
  query: {},
  method: "POST",
};

/** @throws OvenError INVALID_TRIGGER */
export function checkWebhook({ deliveryId, allowedAddresses = [], response }: WebhookConfig): void {
  if (deliveryId !== undefined) {
    if (deliveryId.startsWith("$")) attempt("$.config.deliveryId", () => parsePath(deliveryId));
    else if (!/^[A-Za-z0-9-]+$/.test(deliveryId))
      throw invalid(
        "$.config.deliveryId",
        `${deliveryId} is neither a header's name nor a path`,
        "Write X-Id or $.body.id.",
      );
  }
  toRanges(allowedAddresses);
  if (response.mode !== "custom") return;
  const { status, headers, body } = response;
  attempt("$.config.response", () => compileValue({ status, headers, body }));
  for (const name of Object.keys(headers))
    if (!ANSWERED.test(name))
      throw invalid(
        "$.config.response.headers",
        `${name} cannot be set`,
        "Content-Type, Location, Retry-After, ETag, X-….",
      );
}

/** Headers of an answer that an author may set: none that say something about this server. */
const ANSWERED =
  /^(content-type|content-language|location|retry-after|etag|x-(?!content-type-options|frame-options)[a-z0-9-]+)$/i;

/** @throws OvenError INVALID_TRIGGER naming what is no address */
export function toRanges(addresses: readonly string[]): AddressRanges {
  try {
    return new AddressRanges(addresses);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalid("$.config.allowedAddresses", cause.message, "Write 192.0.2.7 or 192.0.2.0/24.");
  }
}

function attempt(path: string, work: () => unknown): void {
  try {
    work();
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    throw new OvenError("INVALID_TRIGGER", cause.message, { status: 400, path, fix: cause.fix, cause });
  }
}

function invalid(path: string, message: string, fix: string): OvenError {
  return new OvenError("INVALID_TRIGGER", message, { status: 400, path, fix });
}
