import { SecretNameSchema } from "@oven/contract/access";
import { z } from "zod";
import { toStandardKey } from "../outbound/standard-signature.ts";

const secret = SecretNameSchema.describe("Name of a secret that is bound to no host; its value is the shared key");
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "a header's name")
  .transform((name) => name.toLowerCase());

/** How what comes in is signed, and by which secret. */
export const SignatureSchema = z.discriminatedUnion("style", [
  z.strictObject({ style: z.literal("none") }),
  z.strictObject({
    style: z.literal("hmac"),
    secret,
    header: HeaderName.describe("Carries the signature"),
    algorithm: z.enum(["sha1", "sha256", "sha512"]).default("sha256"),
    prefix: z.string().max(32).default("").describe("Before the signature, such as sha256="),
    encoding: z.enum(["hex", "base64"]).default("hex"),
    timestampHeader: HeaderName.optional().describe("Seconds since 1970; what is signed is then time.body"),
  }),
  z.strictObject({ style: z.literal("github"), secret }),
  z.strictObject({ style: z.literal("stripe"), secret }),
  z.strictObject({ style: z.literal("slack"), secret }),
  z
    .strictObject({ style: z.literal("standard"), secret })
    .describe("As standardwebhooks.com says, and OVEN itself signs"),
]);
export type SignatureConfig = z.output<typeof SignatureSchema>;

/** What a style says about the request: where the signature is, what it is of, and which deliveries are the same. */
export interface SignatureStyle {
  /** Those that match one of these are good. */
  given(headers: Headers): { signatures: string[]; timestamp: string | null };
  algorithm: "sha1" | "sha256" | "sha512";
  encoding: "hex" | "base64";
  /** Before the body, in what is signed. */
  lead(headers: Headers, timestamp: string | null): string;
  isTimed: boolean;
  /** Headers that carry signatures; they are not handed on. */
  headers: readonly string[];
  /** `header` or `$.path`, where the sender says which delivery this is. */
  deliveryId?: { header: string } | { path: string };
  toKey?(secret: string): Buffer;
}

/** What to look at in a request that is signed so; undefined: it is not signed. */
export function styleOf(config: SignatureConfig): SignatureStyle | undefined {
  switch (config.style) {
    case "none":
      return undefined;
    case "hmac":
      return ofHmac(config);
    case "github":
      return {
        ...HEX,
        given: (headers) => ({ signatures: after("sha256=", headers.get("x-hub-signature-256")), timestamp: null }),
        lead: () => "",
        isTimed: false,
        headers: ["x-hub-signature-256", "x-hub-signature"],
        deliveryId: { header: "x-github-delivery" },
      };
    case "stripe":
      return {
        ...HEX,
        given: (headers) => {
          const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim());
          return {
            signatures: parts.flatMap((part) => after("v1=", part)),
            timestamp: parts.flatMap((part) => after("t=", part))[0] ?? null,
          };
        },
        lead: (_headers, timestamp) => `${timestamp}.`,
        isTimed: true,
        headers: ["stripe-signature"],
        deliveryId: { path: "$.body.id" },
      };
    case "slack":
      return {
        ...HEX,
        given: (headers) => ({
          signatures: after("v0=", headers.get("x-slack-signature")),
          timestamp: headers.get("x-slack-request-timestamp"),
        }),
        lead: (_headers, timestamp) => `v0:${timestamp}:`,
        isTimed: true,
        headers: ["x-slack-signature"],
        deliveryId: { path: "$.body.event_id" },
      };
    case "standard":
      return {
        algorithm: "sha256",
        encoding: "base64",
        given: (headers) => ({
          signatures: (headers.get("webhook-signature") ?? "").split(" ").flatMap((part) => after("v1,", part)),
          timestamp: headers.get("webhook-timestamp"),
        }),
        lead: (headers, timestamp) => `${headers.get("webhook-id")}.${timestamp}.`,
        isTimed: true,
        headers: ["webhook-signature"],
        deliveryId: { header: "webhook-id" },
        toKey: toStandardKey,
      };
  }
}

const HEX = { algorithm: "sha256", encoding: "hex" } as const;

function ofHmac(config: Extract<SignatureConfig, { style: "hmac" }>): SignatureStyle {
  const { header, prefix, timestampHeader, algorithm, encoding } = config;
  return {
    algorithm,
    encoding,
    given: (headers) => ({
      signatures: after(prefix, headers.get(header)),
      timestamp: timestampHeader === undefined ? null : headers.get(timestampHeader),
    }),
    lead: (_headers, timestamp) => (timestampHeader === undefined ? "" : `${timestamp}.`),
    isTimed: timestampHeader !== undefined,
    headers: [header],
  };
}

function after(prefix: string, text: string | null | undefined): string[] {
  return text?.startsWith(prefix) ? [text.slice(prefix.length)] : [];
}
