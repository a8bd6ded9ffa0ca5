import { getTableName } from "@oven/db/drizzle";
import type { PgTable } from "@oven/db/pg-core";
import type { ConfigKey, ModuleDeps, PersonHolding, PersonSubject } from "@oven/module-registry";
import { z } from "zod";

const MODULE = "module-workflows";
const KEY = "PERSON_INPUT_PATHS";
const PathsSchema = z
  .array(z.string().regex(/^[\w-]+(\.[\w-]+)*$/, "names joined by points, such as customer.email"))
  .max(50);

/** Where the inputs of a tenant's runs name persons. */
export const personConfigKeys: ConfigKey[] = [
  {
    key: KEY,
    type: "array",
    description:
      "Where the input of a run names a person, by their e-mail address or the number of their account: names joined by points, such as customer.email. Runs that do are found, exported and erased with the person",
    defaultValue: [],
    schema: PathsSchema,
  },
];

/**
 * Runs of one kind as holdings: those that name the person, which erasing removes with the runs that they called, and those that
 * the person only started.
 */
export function runHoldings(
  table: PgTable,
  titles: { named: string; started: string },
  alsoNamed?: string,
): PersonHolding[] {
  const hidden = [
    ...["context", "context_writers", "state", "checkpoint", "state_value", "active_states", "options", "pinned_calls"],
    ...["lease_owner", "lease_until", "epoch", "seq"],
  ];
  const named = async (deps: ModuleDeps, subject: PersonSubject): Promise<string> => {
    const conditions = [...(await inputConditions(deps, subject)), ...(alsoNamed === undefined ? [] : [alsoNamed])];
    return conditions.length === 0 ? "false" : conditions.map((condition) => `(${condition})`).join(" or ");
  };
  return [
    {
      table,
      title: titles.named,
      where: named,
      hidden,
      erase: {
        how: "remove",
        remove: async (deps, subject) => {
          const rows = await deps.db.system.query<{ id: number }>(
            `select coalesce(r.root_id, r.id) as id from ${getTableName(table)} r,
               (select $1::integer as tenant_id, $2::bigint as user_id, $3::text as email) s
             where r.tenant_id = s.tenant_id and (${await named(deps, subject)})`,
            [subject.tenantId, subject.userId, subject.email],
          );
          return deps.services.workflowPlatform.retention.removeAll(
            subject.tenantId,
            rows.map(({ id }) => id),
          );
        },
      },
    },
    {
      table,
      title: titles.started,
      where: "r.principal->>'userId' = s.user_id::text",
      hidden,
      erase: {
        how: "retain",
        why: "A run is the record of its workflow. It has the number of the account only, and is removed after the days that the tenant has set.",
      },
    },
  ];
}

/** An input with characters that PostgreSQL holds in no text is looked at for none of them. */
async function inputConditions({ services }: ModuleDeps, { tenantId }: PersonSubject): Promise<string[]> {
  const { value } = await services.config.resolve({ module: MODULE, key: KEY, tenantId });
  return PathsSchema.parse(value).map((path) => {
    const found = `r.input #>> '{${path.split(".").join(",")}}'`;
    return `case when r.input::text like '%\\\\u0000%' then false else lower(${found}) = s.email or ${found} = s.user_id::text end`;
  });
}
