import { join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * Only a door: the one runtime is made by the server that hosts Next, which serves /api itself. A host without that server
 * gets one made here, at the first request. Nothing of ours is imported statically, and what is imported is left to Node:
 * Next bundles its own copy of every package it sees, and two copies are two engines in one process.
 */
interface Runtime {
  fetch(request: Request): Promise<Response>;
}

interface Serverless {
  openServerless(variables: NodeJS.ProcessEnv): Promise<{ runtime: Runtime }>;
}

/** The source, from the application's folder: this file is built to somewhere else. */
const SOURCE = "server/serverless.ts";
let opening: Promise<Runtime> | undefined;

async function open(): Promise<Runtime> {
  const source = pathToFileURL(join(process.cwd(), SOURCE)).href;
  const { openServerless } = (await import(/* turbopackIgnore: true */ /* webpackIgnore: true */ source)) as Serverless; // cast: the module's own type is not imported
  return (await openServerless(process.env)).runtime;
}

async function runtime(): Promise<Runtime> {
  const known: unknown = Reflect.get(globalThis, Symbol.for("oven.runtime"));
  if (isRuntime(known)) return known;
  opening ??= open();
  try {
    return await opening;
  } catch (error) {
    // The next request tries again: the database may have been away.
    opening = undefined;
    throw error;
  }
}

async function handle(request: Request): Promise<Response> {
  try {
    return await (await runtime()).fetch(underApi(request));
  } catch (error) {
    return Response.json(toBody(error), { status: 503 });
  }
}

/** What OAuth's clients look for beside `/api` is led here by a rewrite, and still carries the address that was asked for. */
function underApi(request: Request): Request {
  const url = new URL(request.url);
  if (url.pathname.startsWith("/api/")) return request;
  url.pathname = `/api${url.pathname}`;
  return new Request(url, request);
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}

/** Our errors bring their body; of others only the log tells. */
function toBody(error: unknown): unknown {
  if (typeof error === "object" && error !== null && "toBody" in error && typeof error.toBody === "function") {
    return error.toBody();
  }
  console.error("opening the runtime failed:", error);
  return {
    error: {
      code: "RUNTIME_MISSING",
      message: "The runtime behind /api could not be opened; see the server's log",
      fix: "Start OVEN with `pnpm start` instead of `next start`",
      docs: "docs/errors/RUNTIME_MISSING.md",
    },
  };
}

export const dynamic = "force-dynamic";
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
