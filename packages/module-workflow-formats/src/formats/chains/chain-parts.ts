import type { Database } from "@oven/db";
import type { ChainRuns } from "./chain-runs.ts";
import type { ChainService } from "./chain-service.ts";
import type { ChainStore } from "./chain-store.ts";

/** What the routes and tools of chains ask. */
export interface ChainParts {
  chains: ChainService;
  runs: ChainRuns;
  store: ChainStore;
  db: Database;
}
