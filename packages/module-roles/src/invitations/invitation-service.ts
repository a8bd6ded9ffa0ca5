import { createHash, randomBytes } from "node:crypto";
import { DEFAULT_TENANT, notFound, OvenError, type Principal } from "@oven/contract";
import type { Database, Queryable, Transaction } from "@oven/db";
import { PERMISSIONS_OF_U, requireAll } from "../access/grants.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";
import { permissionsOfRoles } from "../users/user-service.ts";

const DAYS_VALID = 7;
const IS_OPEN = "accepted_at is null and revoked_at is null and expires_at > now()";

export interface OpenInvitation extends Record<string, unknown> {
  id: number;
  email: string;
  roles: string[];
  tenant_id: number;
  invited_by: number | null;
}

export interface NewUser {
  name: string;
  /** Already hashed. */
  passwordHash: string;
}

/** One-time links: 32 random bytes, kept as a hash, for seven days. */
export class InvitationService {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * A new link's token. An open invitation of the same address stops working.
   * @throws OvenError ROLE_UNKNOWN 422, FORBIDDEN, USER_EXISTS 409
   */
  create(principal: Principal, email: string, roles: readonly string[]): Promise<{ id: number; token: string }> {
    const { tenantId } = principal;
    return this.#db.transaction((tx) => this.createIn(tx, principal, { tenantId, email, roles }));
  }

  /** The same within a transaction, and for a tenant that the inviter may not be of: whoever calls this has decided that. */
  async createIn(
    tx: Transaction,
    principal: Principal,
    { tenantId, email, roles }: { tenantId: number; email: string; roles: readonly string[] },
  ): Promise<{ id: number; token: string }> {
    requireAll(principal, await permissionsOfRoles(tx, tenantId, roles), "$.roles");
    const token = randomBytes(32).toString("base64url");
    await requireNew(tx, email);
    await tx.query(`update invitations set revoked_at = now() where tenant_id = $1 and email = $2 and ${IS_OPEN}`, [
      tenantId,
      email,
    ]);
    const [row] = await tx.query<{ id: number }>(
      `insert into invitations (tenant_id, email, roles, token_hash, invited_by, expires_at)
         values ($1, $2, $3, $4, $5, now() + interval '${DAYS_VALID} days') returning id`,
      [tenantId, email, roles, hashToken(token), principal.userId],
    );
    return { id: row?.id ?? 0, token };
  }

  /** @throws OvenError INVITATION_INVALID 403 */
  async open(token: string): Promise<OpenInvitation> {
    const [row] = await this.#db.query<OpenInvitation>(
      `select id, email, roles, tenant_id, invited_by from invitations where token_hash = $1 and ${IS_OPEN}`,
      [hashToken(token)],
    );
    if (row === undefined) throw invalid();
    return row;
  }

  /**
   * Makes the user. Claim and creation are one transaction: of two racers one wins. The roles are given by whoever invited,
   * so they must still have them.
   * @throws OvenError INVITATION_INVALID 403, USER_EXISTS 409
   */
  async accept(token: string, user: NewUser): Promise<{ id: number; email: string; tenant_id: number }> {
    return this.#db.transaction(async (tx) => {
      const [claimed] = await tx.query<OpenInvitation>(
        `update invitations set accepted_at = now() where token_hash = $1 and ${IS_OPEN}
         returning id, email, roles, tenant_id, invited_by`,
        [hashToken(token)],
      );
      if (claimed === undefined) throw invalid();
      const { email, roles, tenant_id } = claimed;
      await this.#requireInviter(tx, claimed);
      await requireNew(tx, email);
      const [made] = await tx.query<{ id: number }>(
        "insert into users (name, email, email_verified, tenant_id) values ($1, $2, true, $3) returning id",
        [user.name, email, tenant_id],
      );
      const id = made?.id ?? 0;
      await tx.query(
        "insert into accounts (user_id, account_id, provider_id, password, tenant_id) values ($1::bigint, $1::text, 'credential', $2, $3)",
        [id, user.passwordHash, tenant_id],
      );
      await tx.query("insert into user_roles (tenant_id, user_id, role) select $1, $2, unnest($3::text[])", [
        tenant_id,
        id,
        roles,
      ]);
      return { id, email, tenant_id };
    });
  }

  /** @throws OvenError NOT_FOUND for one that is not open, or another tenant's */
  async revoke({ tenantId }: Principal, id: number): Promise<void> {
    const gone = await this.#db.query(
      `update invitations set revoked_at = now() where id = $1 and tenant_id = $2 and ${IS_OPEN} returning id`,
      [id, tenantId],
    );
    if (gone.length === 0) throw notFound("open invitation", id);
  }

  async #requireInviter(tx: Queryable, { invited_by, roles, tenant_id }: OpenInvitation): Promise<void> {
    const [inviter] = await tx.query<{ permissions: string[] }>(
      `select ${PERMISSIONS_OF_U} as permissions from users u
       where u.id = $1 and u.tenant_id = any($2::integer[]) and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
      // The first owner of a tenant is invited from the one that manages tenants.
      [invited_by, [tenant_id, DEFAULT_TENANT]],
    );
    if (inviter === undefined) throw invalid();
    const asInviter: Principal = {
      kind: "user",
      userId: invited_by,
      tenantId: tenant_id,
      permissions: inviter.permissions,
    };
    requireAll(asInviter, ["users.create", ...(await permissionsOfRoles(tx, tenant_id, roles))], "$.token");
  }
}

async function requireNew(db: Queryable, email: string): Promise<void> {
  const [known] = await db.query("select 1 as one from users where email = $1", [email]);
  if (known === undefined) return;
  throw new OvenError("USER_EXISTS", "There is a user with this e-mail address already", {
    status: 409,
    path: "$.email",
    fix: "Give them roles at Users instead.",
  });
}

function invalid(): OvenError {
  return new OvenError("INVITATION_INVALID", "This invitation was used already, was revoked, or has expired", {
    status: 403,
    fix: "Ask whoever invited you for a new link.",
  });
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
