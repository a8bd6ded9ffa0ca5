import { z } from "zod";

/** `resource.action`, `resource.*` or `*`. */
export const PermissionSchema = z
  .string()
  .max(128)
  .regex(/^(\*|[a-z][a-z0-9-]*\.(\*|[a-z][a-z0-9-]*))$/, "resource.action, resource.* or *");

/** One workflow that a key is bound to: `workflow:12`, `agent-workflow:7`. */
export const WorkflowScopeSchema = z
  .string()
  .regex(/^(workflow|agent-workflow):[1-9]\d{0,15}$/, "workflow:<id> or agent-workflow:<id>");

/** Who is signed in: the answer of `GET /api/session`. */
export const SessionSchema = z.strictObject({
  user: z.strictObject({ id: z.int(), name: z.string(), email: z.string() }),
  tenantId: z.int(),
  permissions: z.array(z.string()),
  /** Their roles demand a second factor, and they signed in without one: only what sets one up is open, and `permissions` is empty. */
  secondFactorNeeded: z.boolean(),
});
export type Session = z.infer<typeof SessionSchema>;

/** How one may sign in: the answer of `GET /api/sign-in-methods`, which needs no credentials. */
export const SignInMethodsSchema = z.strictObject({
  password: z.boolean(),
  oidc: z.boolean(),
  /** Browsers take passkeys for a host name over https, and for localhost, only. */
  passkey: z.boolean(),
});
export type SignInMethods = z.infer<typeof SignInMethodsSchema>;

/** An API key as lists show it; never its value. */
export const ApiKeySchema = z.strictObject({
  id: z.int(),
  name: z.string().nullable(),
  /** The first characters, to tell keys apart. */
  start: z.string().nullable(),
  permissions: z.array(z.string()),
  /** The only workflows it may use; null: all that its permissions cover. */
  workflows: z.array(z.string()).nullable(),
  /** The only agents it may use, by id; null: as `workflows` says, none when that names some. */
  agents: z.array(z.int()).nullable(),
  /** The owner of the key, whose rights the key never exceeds. */
  userId: z.int().nullable(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type ApiKey = z.infer<typeof ApiKeySchema>;

/** The answer to making one: the only time the key itself is shown. */
export const CreatedApiKeySchema = ApiKeySchema.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

/** Name of a role: as a slug. */
export const RoleNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "a-z, 0-9 and single hyphens")
  .max(32);

/** A role, as `GET /api/roles/[id]` answers it. */
export const RoleSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  permissions: z.array(z.string()),
  /** Comes with the installation and cannot be changed. */
  builtIn: z.boolean(),
  /** Who has it works only in sessions that were made with a second factor. Set for each tenant, also of built-in roles. */
  requiresSecondFactor: z.boolean(),
});
export type Role = z.infer<typeof RoleSchema>;

/** What a module lets one do, as `GET /api/permissions` lists it; `id` is `resource.action`. */
export const PermissionInfoSchema = z.strictObject({ id: z.string(), title: z.string(), module: z.string() });
export type PermissionInfo = z.infer<typeof PermissionInfoSchema>;

/** A user, as `GET /api/users/[id]` answers it. */
export const UserSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  disabled: z.boolean(),
  /** They have an authenticator app or a passkey. */
  secondFactor: z.boolean(),
  /** Begin of the newest session that still stands. */
  lastSignInAt: z.string().nullable(),
  createdAt: z.string(),
});
export type User = z.infer<typeof UserSchema>;

/** An invitation, as `GET /api/invitations` answers it. */
export const InvitationSchema = z.strictObject({
  id: z.int(),
  email: z.string(),
  roles: z.array(z.string()),
  status: z.enum(["open", "accepted", "revoked", "expired"]),
  expiresAt: z.string(),
  createdAt: z.string(),
});
export type Invitation = z.infer<typeof InvitationSchema>;

/** The answer to making one: the only time its link is shown. */
export const CreatedInvitationSchema = InvitationSchema.extend({ link: z.url() });
export type CreatedInvitation = z.infer<typeof CreatedInvitationSchema>;

/** One customer or department of an installation: it sees its own rows and shared ones. */
export const TenantSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  /** Its users and keys are kept out. */
  disabled: z.boolean(),
  createdAt: z.string(),
});
export type Tenant = z.infer<typeof TenantSchema>;

/** The answer to making one: the only time the link of its first owner is shown. */
export const CreatedTenantSchema = TenantSchema.extend({ link: z.url() });
export type CreatedTenant = z.infer<typeof CreatedTenantSchema>;

/** One place where the caller is signed in. */
export const UserSessionSchema = z.strictObject({
  id: z.int(),
  current: z.boolean(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type UserSession = z.infer<typeof UserSessionSchema>;

/** An audit entry, as `GET /api/audit-log` answers it. */
export const AuditEntrySchema = z.strictObject({
  id: z.int(),
  at: z.string(),
  tenantId: z.int(),
  /** Such as `POST agent-workflows/[id]/execute`, `sign-in`, `api-key.new-address`. */
  action: z.string(),
  outcome: z.enum(["done", "refused", "failed"]),
  status: z.int().nullable(),
  errorCode: z.string().nullable(),
  actorKind: z.enum(["user", "api-key", "system", "nobody"]),
  /** The user who acts, or on whose behalf the key acts. */
  userId: z.int().nullable(),
  keyId: z.int().nullable(),
  targetType: z.string().nullable(),
  targetId: z.string().nullable(),
  targetVersion: z.int().nullable(),
  /** HMAC-SHA-256 of the arguments under a key of the installation: comparable, and nothing can be guessed from it. */
  argumentDigest: z.string().nullable(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntrySchema>;
