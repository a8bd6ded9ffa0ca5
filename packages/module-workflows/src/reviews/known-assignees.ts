import { isObject, type Json, type JsonObject, type Principal, type Problem, toJsonPath } from "@oven/contract";
import { AssigneeSchema } from "@oven/contract/review";
import type { Database, Queryable } from "@oven/db";
import { invalidDefinition } from "../definitions/prepare-definition.ts";

/** Why an assignee of a tenant reaches no person: no such user who is not disabled, no such role, or a role of no such user. */
export async function unreachable(db: Queryable, tenantId: number, assignee: string): Promise<string | undefined> {
  const name = assignee.slice(assignee.indexOf(":") + 1).toLowerCase();
  if (!assignee.toLowerCase().startsWith("role:")) {
    const [user] = await db.query(
      "select 1 from users where (id::text = $1 or lower(email) = $1) and tenant_id = $2 and disabled_at is null",
      [name, tenantId],
    );
    return user === undefined ? `There is no user ${name} here` : undefined;
  }
  const [role] = await db.query<{ isHeld: boolean }>(
    `select exists (select 1 from user_roles h join users u on u.id = h.user_id
                    where lower(h.role::text) = r.name and h.tenant_id = $2 and u.disabled_at is null) as "isHeld"
     from roles r where r.name = $1 and r.tenant_id in (0, $2)`,
    [name, tenantId],
  );
  if (role === undefined) return `There is no role ${name} here`;
  return role.isHeld ? undefined : `No person has the role ${name}`;
}

/** Where steps of a definition ask by roles or users of the principal's tenant that reach no person. */
export async function checkAssignees(
  db: Pick<Database, "query">,
  { tenantId }: Principal,
  definition: JsonObject,
): Promise<Problem[]> {
  const places = assigneesIn(definition.states, ["states"]);
  const reasons = new Map<string, string | undefined>();
  for (const { assignee } of places)
    if (!reasons.has(assignee)) reasons.set(assignee, await unreachable(db, tenantId, assignee));
  return places.flatMap(({ assignee, path }) => {
    const message = reasons.get(assignee);
    if (message === undefined) return [];
    const fix = message.startsWith("No person")
      ? "Give the role to a person, or name another one."
      : "Name a role as role:<name>, or a user as user:<id> or user:<e-mail>.";
    return [{ path: toJsonPath(path), rule: "unknown-assignee", message, fix, severity: "error" }];
  });
}

/** Before a definition is published. @throws OvenError INVALID_DEFINITION 400 with each assignee that reaches no person */
export async function requireAssignees(
  db: Pick<Database, "query">,
  principal: Principal,
  definition: JsonObject,
): Promise<void> {
  const problems = await checkAssignees(db, principal, definition);
  if (problems.length > 0) throw invalidDefinition(problems);
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
