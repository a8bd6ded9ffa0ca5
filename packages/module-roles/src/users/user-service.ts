import { notFound, OvenError, type Principal, toActor } from "@oven/contract";
import type { User } from "@oven/contract/access";
import type { Database, Queryable } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { PERMISSIONS_OF_U, requireAll } from "../access/grants.ts";
import { OWNER } from "../roles/built-in-roles.ts";
import { removeSecondFactors } from "../second-factor/own-factors.ts";

/** The event: an administrator took the second factor of a person away. */
export const SECOND_FACTOR_RESET = "roles.second-factor.reset";

export interface UserChange {
  name?: string | undefined;
  roles?: string[] | undefined;
  disabled?: boolean | undefined;
}

/** Any constant: with the tenant, the key of the lock under which owners come and go. */
const OWNERS_LOCK = 7_358_121;

interface UserRow extends Record<string, unknown> {
  id: number;
  permissions: string[];
  roles: string[];
  disabled: boolean;
}

/** Users of a tenant. Whoever changes one needs all that the other may do, before and after. */
export class UserService {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN, ROLE_UNKNOWN 422, LAST_OWNER 409 */
  async change(principal: Principal, id: number, change: UserChange): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await lockOwners(tx, principal.tenantId);
      const user = await find(tx, principal, id);
      const roles = change.roles === undefined ? undefined : [...new Set(change.roles)];
      const becomesOther = roles !== undefined && !isSameSet(roles, user.roles);
      const disabled = change.disabled ?? user.disabled;
      if (becomesOther || disabled !== user.disabled) {
        // Taking from somebody what one does not have is an attack on those above.
        requireAll(principal, user.permissions, "$.roles");
      }
      if (becomesOther) {
        requireAll(principal, await permissionsOfRoles(tx, principal.tenantId, roles), "$.roles");
        await tx.query("delete from user_roles where tenant_id = $1 and user_id = $2", [principal.tenantId, id]);
        await tx.query("insert into user_roles (tenant_id, user_id, role) select $1, $2, unnest($3::text[])", [
          principal.tenantId,
          id,
          roles,
        ]);
      }
      if (change.name !== undefined) {
        await tx.query("update users set name = $2, updated_at = now() where id = $1", [id, change.name]);
      }
      if (disabled !== user.disabled) {
        await tx.query(
          "update users set disabled_at = case when $2::boolean then now() end, updated_at = now() where id = $1",
          [id, disabled],
        );
        if (disabled) await endSessions(tx, id);
      }
      await requireOwner(tx, principal.tenantId);
    });
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN, LAST_OWNER 409 */
  async remove(principal: Principal, id: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await lockOwners(tx, principal.tenantId);
      const user = await find(tx, principal, id);
      requireAll(principal, user.permissions, "$params.id");
      await tx.query("delete from api_keys where reference_id = $1::text", [id]);
      await tx.query("delete from users where id = $1", [id]);
      await requireOwner(tx, principal.tenantId);
    });
  }

  /** Ends every session of a user. @throws OvenError NOT_FOUND, FORBIDDEN */
  async signOut(principal: Principal, id: number): Promise<void> {
    const user = await find(this.#db, principal, id);
    requireAll(principal, user.permissions, "$params.id");
    await endSessions(this.#db, id);
  }

  /**
   * Takes the authenticator app, the recovery codes and the passkeys of a person away, who has lost them, and ends their sessions.
   * @param events tells them, so that it is not done behind their back
   * @throws OvenError NOT_FOUND, FORBIDDEN, OWN_SECOND_FACTOR 409
   */
  async resetSecondFactor(principal: Principal, id: number, events: ServiceMap["events"]): Promise<void> {
    if (id === principal.userId) {
      throw new OvenError("OWN_SECOND_FACTOR", "Your own second factor is not reset without showing it", {
        status: 409,
        fix: "Turn it off under Your account, with your password and a code, or let another administrator reset it.",
      });
    }
    await this.#db.transaction(async (tx) => {
      const user = await find(tx, principal, id);
      requireAll(principal, user.permissions, "$params.id");
      await removeSecondFactors(tx, id);
      const { tenantId } = principal;
      await events.write(tx, [
        { name: SECOND_FACTOR_RESET, tenantId, actor: toActor(principal), payload: { userId: id } },
      ]);
    });
    events.wake();
  }

  /** Roles and newest sessions for a page of users. */
  async describe(
    rows: readonly { id: number; name: string; email: string; disabledAt: Date | null; createdAt: Date }[],
  ) {
    const more = await this.#db.query<{ id: number; roles: string[]; last: Date | null; factor: boolean }>(
      `select u.id, array(select role from user_roles where user_id = u.id and tenant_id = u.tenant_id order by role) as roles,
         (select max(created_at) from sessions where user_id = u.id) as last,
         u.two_factor_enabled or exists (select from passkeys p where p.user_id = u.id) as factor
       from users u where u.id = any($1::bigint[])`,
      [rows.map(({ id }) => id)],
    );
    const byId = new Map(more.map((row) => [row.id, row]));
    return rows.map((row): User => {
      const known = byId.get(row.id);
      return {
        id: row.id,
        name: row.name,
        email: row.email,
        roles: known?.roles ?? [],
        disabled: row.disabledAt !== null,
        secondFactor: known?.factor === true,
        lastSignInAt: known?.last?.toISOString() ?? null,
        createdAt: row.createdAt.toISOString(),
      };
    });
  }
}

async function find(db: Queryable, { tenantId }: Principal, id: number): Promise<UserRow> {
  const [user] = await db.query<UserRow>(
    `select u.id, u.disabled_at is not null as disabled, ${PERMISSIONS_OF_U} as permissions,
       array(select role::text from user_roles where user_id = u.id and tenant_id = u.tenant_id) as roles
     from users u where u.id = $1 and u.tenant_id = $2`,
    [id, tenantId],
  );
  if (user === undefined) throw notFound("user", id);
  return user;
}

/**
 * What these roles allow together.
 * @throws OvenError ROLE_UNKNOWN 422
 */
export async function permissionsOfRoles(
  db: Queryable,
  tenantId: number,
  names: readonly string[],
  path = "$.roles",
): Promise<string[]> {
  const rows = await db.query<{ name: string; permissions: string[] }>(
    "select name, permissions from roles where tenant_id in (0, $1) and name = any($2::text[])",
    [tenantId, names],
  );
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    throw new OvenError("ROLE_UNKNOWN", `There is no role \`${unknown}\``, {
      status: 422,
      path,
      fix: "GET /api/roles lists them.",
    });
  }
  return rows.flatMap(({ permissions }) => permissions);
}

/**
 * Whether a user may be removed, by this principal; nothing changes. Owners come and go one after the other until `tx` ends.
 * @throws OvenError NOT_FOUND, FORBIDDEN, LAST_OWNER 409
 */
export async function requireRemovableUser(tx: Queryable, principal: Principal, id: number): Promise<void> {
  await lockOwners(tx, principal.tenantId);
  const user = await find(tx, principal, id);
  requireAll(principal, user.permissions, "$params.id");
  await requireOwner(tx, principal.tenantId, id);
}

async function lockOwners(tx: Queryable, tenantId: number): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1, $2)", [OWNERS_LOCK, tenantId]);
}

/** @throws OvenError LAST_OWNER when no one but `without` may do everything */
async function requireOwner(tx: Queryable, tenantId: number, without = 0): Promise<void> {
  const [owner] = await tx.query(
    `select 1 as one from user_roles ur join users u on u.id = ur.user_id
     where ur.tenant_id = $1 and ur.role = $2 and u.disabled_at is null and u.id <> $3 limit 1`,
    [tenantId, OWNER, without],
  );
  if (owner !== undefined) return;
  throw new OvenError("LAST_OWNER", "This is the last owner: nobody would be left who may do everything", {
    status: 409,
    fix: "Make somebody else an owner first.",
  });
}

async function endSessions(db: Queryable, userId: number): Promise<void> {
  await db.query("delete from sessions where user_id = $1", [userId]);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry));
}
