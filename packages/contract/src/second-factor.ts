import { z } from "zod";

/** A passkey of the caller: a key pair of a device or password manager that signs them in after a fingerprint, face or PIN. */
export const PasskeySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  /** Stored by a password manager, so that it is on more devices than one. */
  synced: z.boolean(),
  createdAt: z.string(),
});
export type Passkey = z.infer<typeof PasskeySchema>;

/** What a person chooses as the name of a passkey. */
export const PasskeyNameSchema = z.string().trim().min(1).max(100);

/** How the caller proves beside the password that it is them: the answer of `GET /api/account/second-factor`. */
export const SecondFactorSchema = z.strictObject({
  /** An authenticator app is set up: signing in with the password asks for its code. */
  app: z.boolean(),
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: z.int().nonnegative(),
  /** The account has a password, which every change here asks for. */
  password: z.boolean(),
  /** One of the caller's roles demands a second factor. */
  demanded: z.boolean(),
  /** This session was made with a second factor, a passkey or by the identity provider. */
  session: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactorSchema>;

/** A code of six digits of an authenticator app, or a recovery code such as `a1B2c-D3e4F`. */
export const SecondFactorCodeSchema = z.string().trim().min(1).max(20);

/** What shows that a change of one's own sign-in is one's own will. */
export const ProofSchema = z.strictObject({
  /** Needed where the account has a password. */
  password: z.string().min(1).max(128).optional(),
  /** Needed where an authenticator app is set up: its code, or a recovery code. */
  code: SecondFactorCodeSchema.optional(),
});
export type Proof = z.infer<typeof ProofSchema>;

/** What an authenticator app needs; shown once, and good only after a first code. */
export const StartedSecondFactorSchema = z.strictObject({
  /** `otpauth://totp/…`, for a QR code. */
  uri: z.string(),
  /** The same secret in Base32, to be typed. */
  secret: z.string(),
});
export type StartedSecondFactor = z.infer<typeof StartedSecondFactorSchema>;

/** The only time that these codes are shown. */
export const RecoveryCodesSchema = z.strictObject({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodesSchema>;

/** Base64url, as browsers write bytes. */
const bytes = z.string().max(8_192);

/** What a browser answers when a person signs in with a passkey: `PublicKeyCredential.toJSON()` (WebAuthn, level 3). */
export const PasskeyAnswerSchema = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswerSchema>;
