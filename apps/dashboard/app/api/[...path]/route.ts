/*
 * Only a door: the one runtime is made by the server that hosts Next, and serves /api itself. Nothing is imported
 * here, because Next bundles its own copy of every package it sees.
 */
interface Runtime {
  fetch(request: Request): Promise<Response>;
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}

async function handle(request: Request): Promise<Response> {
  const runtime: unknown = Reflect.get(globalThis, Symbol.for("oven.runtime"));
  if (isRuntime(runtime)) return runtime.fetch(request);
  return Response.json(
    {
      error: {
        code: "RUNTIME_MISSING",
        message: "This Next.js process was started without OVEN's server, so there is nothing behind /api",
        fix: "Start OVEN with `pnpm start` instead of `next start`",
        docs: "docs/errors/RUNTIME_MISSING.md",
      },
    },
    { status: 503 },
  );
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
