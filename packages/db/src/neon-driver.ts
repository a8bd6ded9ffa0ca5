import { Client, Pool } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-serverless";
import type pg from "pg";
import type { Orm } from "./database.ts";
import type { PostgresDriver } from "./postgres-driver.ts";

/*
 * Neon over WebSockets: the driver is node-postgres with another socket, so its classes serve where those do. The casts
 * below say no more than that.
 */
export const NEON: PostgresDriver = {
  createPool: (config) => new Pool(config as ConstructorParameters<typeof Pool>[0]) as unknown as pg.Pool, // cast: as above
  createClient: (config) => new Client(config as ConstructorParameters<typeof Client>[0]) as unknown as pg.Client, // cast: as above
  toOrm: (client) => drizzle({ client: client as unknown as Pool }) as unknown as Orm, // cast: as above; the row kind differs by driver only
  takesOptions: false,
  pipelines: false,
  isTcp: false,
};
