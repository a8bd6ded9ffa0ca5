import { z } from "zod";

/** The name by which definitions refer to a secret. */
export const SecretNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "lower-case letters, digits, dots, dashes and underscores");

/** `api.example.com`, or with a port that is not the protocol's own: `10.0.0.5:8080`. */
const SecretHostSchema = z
  .string()
  .max(260)
  .transform((text, context) => {
    const url = /[/?#@\\*\s]/.test(text) ? null : URL.parse(`https://${text}`);
    if (url !== null && url.host !== "") return url.host;
    context.addIssue(`${JSON.stringify(text)} is not a host such as api.example.com or 10.0.0.5:8080`);
    return z.NEVER;
  });

/**
 * Stands for a secret in the header, URL or query of an outbound call, where nothing else ever sees its value. `prefix` is
 * put before it: `Bearer `. With `user`, which only a header takes, it is the password of HTTP's basic authentication.
 */
export const SecretReferenceSchema = z
  .strictObject({
    $secret: SecretNameSchema.meta({ title: "Secret" }),
    prefix: z.string().max(64).optional(),
    user: z
      .string()
      .max(200)
      .regex(/^[^:\p{Cc}]*$/u, "a name without a colon")
      .optional(),
  })
  .meta({ title: "Secret" });
export type SecretReference = z.infer<typeof SecretReferenceSchema>;

/** A secret as lists show it; never its value. */
export const SecretSchema = z.strictObject({
  id: z.int().positive(),
  name: z.string(),
  hosts: z.array(z.string()),
  lastUsedAt: z.string().nullable(),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Secret = z.infer<typeof SecretSchema>;

/** Shorter ones could not be distinguished from ordinary text when it is redacted. A header takes printable ASCII only, a mailbox any characters. */
const value = z
  .string()
  .min(8, "at least 8 characters")
  .max(8_192)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u, "one line without control characters");
/** An empty list: the secret is sent nowhere, and only makes and checks signatures. */
const hosts = z.array(SecretHostSchema).max(50);

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  lastUsedAt: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

/** The body of `POST /api/secrets`. */
export const CreateSecretSchema = z.strictObject({ name: SecretNameSchema, value, hosts, ...readOnly });
export type CreateSecret = z.infer<typeof CreateSecretSchema>;

/** The name is fixed: definitions refer to it. */
export const UpdateSecretSchema = z.strictObject({
  value: value.optional(),
  hosts: hosts.optional(),
  name: z.unknown().optional(),
  ...readOnly,
});
export type UpdateSecret = z.infer<typeof UpdateSecretSchema>;

/** A secret rotation, as `POST /api/secrets/rotate` answers it. */
export const SecretRotationSchema = z.strictObject({
  /** Sealed anew with the present key. */
  rotated: z.int().nonnegative(),
  /** Names of those that no known key opens. */
  unreadable: z.array(z.string()),
});
export type SecretRotation = z.infer<typeof SecretRotationSchema>;
