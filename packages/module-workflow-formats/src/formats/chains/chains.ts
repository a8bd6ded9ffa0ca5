import type { Database } from "@oven/db";
import { type ConfigKey, type Permission, READING_ROLES, RUNNING_ROLES, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import type { ChainParts } from "./chain-parts.ts";
import { ChainRuns } from "./chain-runs.ts";
import { ChainService } from "./chain-service.ts";
import { ChainStore } from "./chain-store.ts";

export const chainPermissions: Permission[] = [
  { id: "executor-chains.read", title: "See one's chains of executors and their runs", roles: READING_ROLES },
  { id: "executor-chains.create", title: "Make chains of executors", roles: ["editor"] },
  { id: "executor-chains.update", title: "Change chains of executors", roles: ["editor"] },
  { id: "executor-chains.delete", title: "Delete chains of executors", roles: ["editor"] },
  {
    id: "executor-chains.execute",
    title: "Run, schedule, resume and cancel chains of executors",
    roles: RUNNING_ROLES,
  },
  {
    id: "chain-tools.use",
    title: "Let models search the web, query the database, send messages and write files",
    roles: RUNNING_ROLES,
  },
];

const Address = z.union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2_000)]);

export const chainConfigKeys: ConfigKey[] = [
  {
    key: "CHAIN_TIMEZONE",
    type: "string",
    description: "Time zone of schedules of executor chains whose owner has chosen none",
    defaultValue: "UTC",
  },
  {
    key: "CHAIN_TOOL_AUDIT",
    type: "string",
    description:
      "Whether calls of tools are shown with what went in and came out (full), or by name, status and duration (summary)",
    defaultValue: "full",
    schema: z.enum(["full", "summary"]),
  },
  {
    key: "SEARCH_URL",
    type: "string",
    description: "Address of the SearXNG server that search_web asks; empty: none",
    defaultValue: "",
    schema: Address,
  },
  {
    key: "PYTHON_SANDBOX_URL",
    type: "string",
    description:
      "Address of the service that runs code for execute_python; empty: it runs in the sandbox of this installation",
    defaultValue: "",
    schema: Address,
  },
];

export function createChainParts(db: Database, services: ServiceMap): ChainParts {
  const store = new ChainStore(db);
  const deps = { db, services, store };
  const runs = new ChainRuns(deps);
  return { chains: new ChainService(deps, runs), runs, store, db };
}
