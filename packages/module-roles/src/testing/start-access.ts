import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineRoute,
  noContent,
  ok,
  READING_ROLES,
  RUNNING_ROLES,
  type Runtime,
} from "@oven/module-registry";
import { z } from "zod";
import { createRolesModule, type RolesOptions } from "../roles.module.ts";

const ORIGIN = "http://localhost:3000";
export const PASSWORD = "correct horse battery";

export interface Answer {
  status: number;
  headers: Headers;
  cookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

export interface CallOptions {
  body?: unknown;
  cookie?: string;
  key?: string;
  address?: string;
  headers?: Record<string, string>;
}

export interface Person {
  id: number;
  email: string;
  cookie: string;
}

/** A module with something to guard: permissions as real modules have them. */
const things = defineModule({
  name: "module-things",
  namespace: "things",
  description: "For tests.",
  dependencies: ["module-registry"],
  permissions: [
    { id: "things.read", title: "See things", roles: READING_ROLES },
    { id: "things.update", title: "Change things", roles: ["editor"] },
    { id: "things.run", title: "Run things", roles: RUNNING_ROLES },
  ],
  routes: [
    defineRoute({
      method: "GET",
      path: "things",
      operation: false,
      summary: "List",
      access: { permission: "things.read" },
      handler: async () => ok([]),
    }),
    defineRoute({
      method: "PUT",
      path: "things/[id]",
      operation: false,
      summary: "Change",
      access: { permission: "things.update" },
      params: z.object({ id: z.string() }),
      body: z.strictObject({ secret: z.string().optional() }),
      handler: async ({ params }) => {
        if (params.id === "broken") throw new Error("broken");
        return ok({ id: params.id, version: 4 });
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflows/[id]/execute",
      operation: false,
      keepsToWorkflows: true,
      summary: "Execute",
      access: { permission: "things.run" },
      params: z.object({ id: z.string() }),
      handler: async () => noContent(),
    }),
  ],
});

/** The module on a fresh database, with an owner who is signed in. */
export async function startAccess(
  options: RolesOptions & { db?: Database; secret?: string; previousSecrets?: string[] } = {},
) {
  const db: Database = options.db ?? (await createTestPglite());
  const runtime: Runtime = await createRuntime({
    db,
    modules: [createSystemModule(), createRolesModule(options), things],
    environment: {
      publicUrl: ORIGIN,
      dataDir: "unused",
      secret: options.secret ?? "s".repeat(32),
      ...(options.previousSecrets && { previousSecrets: options.previousSecrets }),
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers({ origin: ORIGIN, "content-type": "application/json", ...options.headers });
    if (options.cookie !== undefined) headers.set("cookie", options.cookie);
    if (options.key !== undefined) headers.set("authorization", `Bearer ${options.key}`);
    if (options.address !== undefined) headers.set("x-forwarded-for", options.address);
    const response = await runtime.fetch(
      new Request(`${ORIGIN}/api/${path}`, {
        method,
        headers,
        ...(options.body === undefined || method === "GET" ? {} : { body: JSON.stringify(options.body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      cookie: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; "),
      body: text === "" ? undefined : isJson ? JSON.parse(text) : text,
    };
  }

  const link = await runtime.services.access.newSetupLink();
  // On a database that was set up before, the owner signs in.
  const made =
    link === undefined
      ? await call("POST", "auth/sign-in/email", { body: { email: "olga@example.com", password: PASSWORD } })
      : await call("POST", "setup", {
          body: {
            token: new URL(link).searchParams.get("token"),
            name: "Olga",
            email: "olga@example.com",
            password: PASSWORD,
          },
        });
  const [row] = await db.query<{ id: number }>("select id from users");
  const owner: Person = { id: row?.id ?? 0, email: "olga@example.com", cookie: made.cookie };

  /** Somebody with these roles, invited by the owner and signed in. */
  async function join(name: string, roles: string[], inviter = owner): Promise<Person> {
    const email = `${name}@example.com`;
    const invited = await call("POST", "invitations", { cookie: inviter.cookie, body: { email, roles } });
    const token = new URL(invited.body.link).searchParams.get("token");
    const joined = await call("POST", "invitations/accept", { body: { token, name, password: PASSWORD } });
    const [user] = await db.query<{ id: number }>("select id from users where email = $1", [email]);
    return { id: user?.id ?? 0, email, cookie: joined.cookie };
  }

  /** What was written down, oldest first. */
  const audited = () =>
    db.query<Record<string, unknown>>(
      "select action, outcome, status, error_code, actor_kind, user_id, key_id, target_type, target_id, target_version, argument_digest, address from audit_log order by id",
    );

  return {
    db,
    call,
    owner,
    join,
    audited,
    stop: async () => {
      await runtime.stop();
      if (options.db === undefined) await db.close();
    },
  };
}
export type TestAccess = Awaited<ReturnType<typeof startAccess>>;
