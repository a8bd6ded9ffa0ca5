export { apiKeyAddresses, apiKeys } from "./tables/api-keys.table.ts";
export { attempts } from "./tables/attempts.table.ts";
export { auditLog } from "./tables/audit-log.table.ts";
export { invitations } from "./tables/invitations.table.ts";
export {
  oauthAccessTokens,
  oauthClientAssertions,
  oauthClientResources,
  oauthClients,
  oauthConsents,
  oauthRefreshTokens,
  oauthResources,
} from "./tables/oauth.table.ts";
export { roles, userRoles } from "./tables/roles.table.ts";
export { passkeys, roleSettings, twoFactors } from "./tables/second-factors.table.ts";
export { setupLink } from "./tables/setup.table.ts";
export { tenants } from "./tables/tenants.table.ts";
export { accounts, sessions, users, verifications } from "./tables/users.table.ts";
