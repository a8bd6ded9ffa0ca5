import type { EnvironmentVariable } from "@oven/module-registry";
import { createSandbox, type Sandbox } from "@oven/sandbox";
import { z } from "zod";

declare module "@oven/module-registry" {
  interface ServiceMap {
    /** Runs code of users in processes of its own. */
    sandbox: Sandbox;
  }
}

const PROCESSES = "OVEN_CODE_PROCESSES";

/** How much of the machine code of users may take. */
export const CODE_VARIABLES: readonly EnvironmentVariable[] = [
  {
    name: PROCESSES,
    description: "Most processes that run [code of workflows](docs/guides/code.md) at once, 1 to 64; 2 unless set",
    schema: z.string().regex(/^([1-9]|[1-5]\d|6[0-4])$/, "a number from 1 to 64"),
  },
];

/**
 * The sandbox of this process. Nothing starts before the first code does.
 * @param variables the environment, as far as modules declare it
 */
export function openSandbox(variables: Readonly<Record<string, string | undefined>> = {}): Sandbox {
  const processes = variables[PROCESSES];
  return createSandbox(processes === undefined ? {} : { processes: Number(processes) });
}
