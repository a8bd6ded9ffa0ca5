import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { NextApp } from "./next-app.ts";

const TOKEN = "token-of-the-measurement";
const STARTS_WITHIN_MS = 30_000;

/** Two route handlers as a Next.js app would have them: a catch-all that looks at a token, with one select and without. */
const ROUTE = `import { createHash, timingSafeEqual } from "node:crypto";
import { Pool } from "pg";

export const dynamic = "force-dynamic";
const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const digest = (text) => createHash("sha256").update(text).digest();
const known = digest("Bearer ${TOKEN}");

export async function GET(request, { params }) {
  if (!timingSafeEqual(digest(request.headers.get("authorization") ?? ""), known))
    return Response.json({ error: "unauthorized" }, { status: 401 });
  const { path: [resource, id] } = await params;
  if (resource === "plain") return Response.json({ id });
  const { rows } = await pool.query({ name: "one", text: "select * from agent_workflows where slug = $1", values: [id] });
  return rows.length === 0 ? Response.json({ error: "not found" }, { status: 404 }) : Response.json(rows[0]);
}
`;

export interface NextRoute {
  /** Answers `/api/workflow/<slug>` from the database, and `/api/plain/<id>` without it. */
  url: string;
  token: string;
  stop(): Promise<void>;
}

/** Builds and starts a Next.js app with one catch-all route, on the same database. */
export async function startNextRoute(databaseUrl: string, port: number): Promise<NextRoute> {
  const app = await NextApp.build({ "app/api/[...path]/route.js": ROUTE }, { pg: "packages/db/node_modules/pg" });
  const { args, env } = app.startCommand(port);
  const server = spawn(process.execPath, args, {
    env: { ...process.env, ...env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(server, "exit");
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill("SIGKILL");
    await exited;
    app.remove();
  };
  for (const startedAt = Date.now(); !(await answers(`${url}/api/plain/1`)); await pause(100)) {
    if (Date.now() - startedAt < STARTS_WITHIN_MS) continue;
    await stop();
    throw new Error("next start does not answer");
  }
  return { url, token: TOKEN, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).ok;
  } catch {
    return false; // it does not listen yet
  }
}
