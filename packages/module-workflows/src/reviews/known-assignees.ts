import { isObject, type Json, type JsonObject, type Principal, type Problem, toJsonPath } from "@oven/contract";
import { AssigneeSchema } from "@oven/contract/review";
import type { Database, Queryable } from "@oven/db";

/** Whether there is such a user, who is not disabled, or such a role, in a tenant. */
export async function isKnownAssignee(db: Queryable, tenantId: number, assignee: string): Promise<boolean> {
  const name = assignee.slice(assignee.indexOf(":") + 1).toLowerCase();
  const [known] = assignee.toLowerCase().startsWith("role:")
    ? await db.query("select 1 from roles where name = $1 and tenant_id in (0, $2)", [name, tenantId])
    : await db.query(
        "select 1 from users where (id::text = $1 or lower(email) = $1) and tenant_id = $2 and disabled_at is null",
        [name, tenantId],
      );
  return known !== undefined;
}

/**
 * Roles and users that steps of a definition ask and that are not in the principal's tenant. Warnings: they may be made later, and a definition
 * can be written for another installation.
 */
export async function checkAssignees(
  db: Pick<Database, "query">,
  { tenantId }: Principal,
  definition: JsonObject,
): Promise<Problem[]> {
  const places = assigneesIn(definition.states, ["states"]);
  const known = new Map<string, boolean>();
  for (const { assignee } of places)
    if (!known.has(assignee)) known.set(assignee, await isKnownAssignee(db, tenantId, assignee));
  return places
    .filter(({ assignee }) => known.get(assignee) === false)
    .map(({ assignee, path }) => ({
      path: toJsonPath(path),
      rule: "unknown-assignee",
      message: `There is no ${assignee.replace(":", " ")} here`,
      fix: "Name a role as role:<name>, or a user as user:<id> or user:<e-mail>.",
      severity: "warning",
    }));
}

interface Place {
  assignee: string;
  path: PropertyKey[];
}

/** The inputs of steps that name people. */
const NAMING = new Set(["assignees", "escalateTo"]);

function assigneesIn(states: Json | undefined, path: PropertyKey[]): Place[] {
  if (!isObject(states)) return [];
  return Object.entries(states).flatMap(([id, state]) => {
    if (!isObject(state)) return [];
    const { invoke, loop, states: inside } = state;
    const at = [...path, id];
    return [
      ...(isObject(invoke) ? namedIn(invoke.input, [...at, "invoke", "input"]) : []),
      ...(isObject(loop) ? assigneesIn(loop.bodyStates, [...at, "loop", "bodyStates"]) : []),
      ...assigneesIn(inside, [...at, "states"]),
    ];
  });
}

function namedIn(value: Json | undefined, path: PropertyKey[]): Place[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => namedIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = [...path, key];
    if (!NAMING.has(key) || !Array.isArray(child)) return namedIn(child, at);
    return child.flatMap((name, index) => {
      const { data } = AssigneeSchema.safeParse(name);
      return data === undefined ? [] : [{ assignee: data, path: [...at, index] }];
    });
  });
}
