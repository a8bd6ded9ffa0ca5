import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";

/** Whether this browser can make and use passkeys here. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== "undefined" && typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
  );
}

/**
 * Has the browser make a passkey; the person confirms it.
 * @param options as the server answers them (WebAuthn creation options)
 * @returns what the server registers
 * @throws ApiError when the person or the device refuses
 */
export async function makePasskey(options: unknown): Promise<unknown> {
  // cast: the server writes them in the shape that browsers read
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toAnswer(await asked(navigator.credentials.create({ publicKey })));
}

/**
 * Has the browser sign in with a passkey that the person chooses.
 * @param options as the server answers them (WebAuthn request options)
 * @throws ApiError when the person or the device refuses
 */
export async function usePasskey(options: unknown): Promise<unknown> {
  // cast: the server writes them in the shape that browsers read
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return toAnswer(await asked(navigator.credentials.get({ publicKey })));
}

async function asked(question: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await question;
  } catch (cause) {
    const error = refused();
    error.cause = cause;
    throw error;
  }
}

function toAnswer(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw refused();
}

/** The browser tells pages no more, so that they learn nothing about which passkeys there are. */
function refused(): ApiError {
  return new ApiError(0, {
    code: "PASSKEY_CANCELLED",
    message: t("The browser made or used no passkey: it was cancelled, took too long, or there is none for this page"),
    fix: t("Try again, and confirm with a fingerprint, face or PIN"),
  });
}
