import { isIP } from "node:net";
import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth";
import { twoFactor } from "better-auth/plugins";

/** Seconds between the right password and its code. */
const CODE_WITHIN = 600;

/**
 * Codes of authenticator apps (RFC 6238: six digits, 30 s, one step of drift) and recovery codes, encrypted with the installation's
 * secret. Ten wrong codes one after the other close an account for 15 minutes, which needs its password first.
 */
export function appPlugin() {
  return twoFactor({
    issuer: "OVEN",
    twoFactorCookieMaxAge: CODE_WITHIN,
    backupCodeOptions: { amount: 10, length: 10, storeBackupCodes: "encrypted" },
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    // Of people who sign in at a provider. Where there is a password, it is asked for all the same.
    allowPasswordless: true,
  });
}

/** Whether browsers offer passkeys at this address: they take host names over https, and localhost. */
export function takesPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  if (hostname === "localhost") return true;
  return protocol === "https:" && !hostname.startsWith("[") && isIP(hostname) === 0;
}

/**
 * Passkeys, bound to the host of the public URL. Each use needs a fingerprint, face or PIN: device and person are two factors. The
 * library asks for it and does not insist, so we do.
 */
export function passkeyPlugin(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl);
  return passkey({
    rpID: hostname,
    rpName: "OVEN",
    origin,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification }) => {
        requireVerifiedPerson(verification.registrationInfo?.userVerified);
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        requireVerifiedPerson(verification.authenticationInfo.userVerified);
      },
    },
  });
}

function requireVerifiedPerson(isVerified: boolean | undefined): void {
  if (isVerified === true) return;
  throw new APIError("UNAUTHORIZED", { message: "The passkey was used without a fingerprint, face or PIN" });
}
