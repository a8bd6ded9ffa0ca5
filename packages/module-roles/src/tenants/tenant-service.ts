import { DEFAULT_TENANT, notFound, OvenError, type Principal } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import { InvitationService } from "../invitations/invitation-service.ts";
import { OWNER } from "../roles/built-in-roles.ts";

/** Tenants of the installation: the first one makes them, and each begins with an owner's invitation. */
export class TenantService {
  readonly #db: Database;

  /** @param db the one without a wall, because its work is about other tenants */
  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @returns the new tenant's id and the token of its first owner's invitation
   * @throws OvenError FORBIDDEN, USER_EXISTS 409, TENANT_EXISTS 409
   */
  async create(principal: Principal, name: string, ownerEmail: string): Promise<{ id: number; token: string }> {
    if (principal.tenantId !== DEFAULT_TENANT) {
      throw new OvenError("FORBIDDEN", "Only users of the installation's first tenant make tenants", {
        status: 403,
        fix: "Ask whoever runs this installation.",
      });
    }
    return this.#db.transaction(async (tx) => {
      const [made] = await tx.query<{ id: number }>(
        "insert into tenants (name, tenant_id) values ($1, $2) on conflict (name) do nothing returning id",
        [name, DEFAULT_TENANT],
      );
      if (made === undefined) throw nameTaken();
      const invitations = new InvitationService(this.#db);
      const first = { tenantId: made.id, email: ownerEmail, roles: [OWNER] };
      const { token } = await invitations.createIn(tx, principal, first);
      return { id: made.id, token };
    });
  }

  /** @throws OvenError NOT_FOUND, TENANT_EXISTS 409, TENANT_IS_FIRST 422 */
  async update(principal: Principal, id: number, change: { name?: string; disabled?: boolean }): Promise<void> {
    if (id === DEFAULT_TENANT && change.disabled === true) {
      throw new OvenError("TENANT_IS_FIRST", "The first tenant manages the others and cannot be disabled", {
        status: 422,
        path: "$.disabled",
        fix: "Disable its users instead.",
      });
    }
    await this.#db.transaction(async (tx) => {
      const [found] = await tx.query("select id from tenants where id = $1 and tenant_id = $2 for update", [
        id,
        principal.tenantId,
      ]);
      if (found === undefined) throw notFound("tenant", id);
      const { name, disabled } = change;
      if (name !== undefined) {
        const [other] = await tx.query("select id from tenants where name = $1 and id <> $2", [name, id]);
        if (other !== undefined) throw nameTaken();
        await tx.query("update tenants set name = $2 where id = $1", [id, name]);
      }
      if (disabled === undefined) return;
      await tx.query(
        "update tenants set disabled_at = case when $2 then coalesce(disabled_at, now()) end where id = $1",
        [id, disabled],
      );
      if (disabled)
        await tx.query("delete from sessions s using users u where u.id = s.user_id and u.tenant_id = $1", [id]);
    });
  }
}

/** The tenant that is there from the start. */
export async function seedFirstTenant(db: Queryable): Promise<void> {
  await db.query("insert into tenants (id, tenant_id, name) values ($1, $1, 'First tenant') on conflict do nothing", [
    DEFAULT_TENANT,
  ]);
}

function nameTaken(): OvenError {
  return new OvenError("TENANT_EXISTS", "There is a tenant of this name already", { status: 409, path: "$.name" });
}
