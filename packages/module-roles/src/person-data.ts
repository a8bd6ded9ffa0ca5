import type { PersonData } from "@oven/module-registry";
import {
  accounts,
  apiKeyAddresses,
  apiKeys,
  auditLog,
  invitations,
  oauthAccessTokens,
  oauthClients,
  oauthConsents,
  oauthRefreshTokens,
  passkeys,
  sessions,
  twoFactors,
  userRoles,
  users,
  verifications,
} from "./schema.ts";

const OWN = "r.user_id = s.user_id";
const OWN_KEY = "r.reference_id = s.user_id::text";
const GRANT_SECRETS = ["token", "authorization_code_id", "confirmation"];

/** An account and what belongs to it. The account goes last. */
export const personData: PersonData = {
  holdings: [
    {
      table: apiKeyAddresses,
      title: "Addresses from which API keys were used",
      where: `r.key_id in (select id from api_keys r where ${OWN_KEY})`,
      erase: { how: "delete" },
    },
    { table: apiKeys, title: "API keys", where: OWN_KEY, hidden: ["key"], erase: { how: "delete" } },
    { table: oauthAccessTokens, title: "Access of apps", where: OWN, hidden: GRANT_SECRETS, erase: { how: "delete" } },
    {
      table: oauthRefreshTokens,
      title: "Lasting access of apps",
      where: OWN,
      hidden: [...GRANT_SECRETS, "rotation_replay_response"],
      erase: { how: "delete" },
    },
    { table: oauthConsents, title: "What apps were allowed", where: OWN, erase: { how: "delete" } },
    {
      table: oauthClients,
      title: "Apps that the person registered",
      where: OWN,
      hidden: ["client_secret"],
      erase: { how: "delete" },
    },
    { table: sessions, title: "Sign-in sessions", where: OWN, hidden: ["token"], erase: { how: "delete" } },
    {
      table: accounts,
      title: "Ways to sign in",
      where: OWN,
      hidden: ["password", "access_token", "refresh_token", "id_token"],
      erase: { how: "delete" },
    },
    {
      table: twoFactors,
      title: "Authenticator app",
      where: OWN,
      hidden: ["secret", "backup_codes", "used_codes"],
      erase: { how: "delete" },
    },
    {
      table: passkeys,
      title: "Passkeys",
      where: OWN,
      hidden: ["public_key", "credential_id"],
      erase: { how: "delete" },
    },
    {
      table: verifications,
      title: "Open confirmations",
      where: "lower(r.identifier) = s.email or r.value = s.user_id::text",
      hidden: ["value"],
      erase: { how: "delete" },
    },
    {
      table: invitations,
      title: "Invitations",
      where: "lower(r.email) = s.email",
      hidden: ["token_hash"],
      erase: { how: "delete" },
    },
    { table: userRoles, title: "Roles", where: OWN, erase: { how: "delete" } },
    {
      table: auditLog,
      title: "Audit entries",
      where: OWN,
      hidden: ["argument_digest"],
      erase: {
        how: "retain",
        why: "The audit log cannot be changed. It has the number of the account, which names no one once the account is erased, and the addresses that were called from.",
      },
    },
    { table: users, title: "Account", where: "r.id = s.user_id", erase: { how: "delete" } },
  ],
  numbers: ["invitations.invited_by"],
};
