import { OvenError } from "@oven/contract";
import type { Oven } from "@oven/installation";
import { dropEmptyVariables, readEnvironment } from "@oven/installation/environment";
import { AddressRanges } from "@oven/module-registry/address-ranges";
import { toClientAddress } from "@oven/module-registry/client-address";
import { setGlobalRuntime } from "@oven/module-registry/global";

/**
 * The runtime for a host that runs the dashboard without our server. It works on no runs: such hosts stop a process between
 * requests.
 * @throws OvenError RUNTIME_MISSING without DATABASE_URL, INVALID_ENVIRONMENT, DATABASE_UNREACHABLE
 */
export async function openServerless(variables: NodeJS.ProcessEnv): Promise<Oven> {
  dropEmptyVariables(variables);
  if (variables.DATABASE_URL === undefined) {
    throw new OvenError(
      "RUNTIME_MISSING",
      "This Next.js process was started without OVEN's server and without DATABASE_URL, so there is nothing behind /api",
      {
        status: 503,
        fix: "Start OVEN with `pnpm start`, or set DATABASE_URL and run workers beside this process.",
      },
    );
  }
  const environment = readEnvironment({ ...variables, OVEN_WORKER: "0" }, false);
  const { openOven } = await import("@oven/installation");
  const oven = await openOven(environment);
  const trusted = new AddressRanges(environment.trustedProxies);
  const runtime = { ...oven.runtime, fetch: (request: Request) => oven.runtime.fetch(named(request, trusted)) };
  // What the catch-all route finds from its second request on.
  setGlobalRuntime(runtime);
  return { ...oven, runtime };
}

/** There is no socket here: the host in front appended the address that it was called from, so the last one is the peer. */
function named(request: Request, trusted: AddressRanges): Request {
  const hops = request.headers.get("x-forwarded-for")?.split(",");
  const peer = hops?.pop()?.trim();
  if (hops === undefined || peer === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("x-forwarded-for", toClientAddress(peer, hops.join(","), trusted));
  return new Request(request, { headers });
}
