import { isGranted, type JsonObject, type Principal } from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { ServiceMap } from "@oven/module-registry";
import type { LookOptions, VersionGrants } from "./version-grants.ts";

interface ReportOptions extends LookOptions {
  /** The permission that publishing takes, such as `workflows.update`. */
  publishing: string;
  /** What the version was granted; absent: what it would be if the principal published it now. */
  stored?: readonly string[];
}

/** Says what a version may do, what it lacks, and who could give it. */
export class GrantReporter {
  readonly #grants: VersionGrants;
  readonly #access: Pick<ServiceMap["access"], "listRoles">;

  constructor(grants: VersionGrants, access: Pick<ServiceMap["access"], "listRoles">) {
    this.#grants = grants;
    this.#access = access;
  }

  async report(
    principal: Principal,
    definition: JsonObject,
    { publishing, stored, ...options }: ReportOptions,
  ): Promise<GrantReport> {
    const needed = await this.#grants.needs(principal, definition, options);
    const permissions = stored ?? this.#grants.cut(needed, principal);
    const known = new Set([...needed.required.keys(), ...needed.optional]);
    const has = (permission: string): boolean => isGranted(permissions, permission);
    const lacking = [...needed.required].filter(([permission]) => !has(permission));
    const roles = lacking.length === 0 ? [] : await this.#access.listRoles(principal.tenantId);
    return {
      granted: [...known].filter(has).sort(),
      missing: lacking
        .map(([permission, steps]) => ({
          permission,
          steps: [...steps],
          roles: roles
            .filter((role) => isGranted(role.permissions, permission) && isGranted(role.permissions, publishing))
            .map(({ title }) => title),
        }))
        .sort((one, other) => one.permission.localeCompare(other.permission)),
      computed: [...needed.computed],
      beyond: permissions.filter((permission) => !known.has(permission)).sort(),
    };
  }
}
