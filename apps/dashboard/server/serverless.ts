import { OvenError } from "@oven/contract";
import type { Oven } from "@oven/installation";
import { dropEmptyVariables, readEnvironment } from "@oven/installation/environment";

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
  return openOven(environment);
}
