import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Orm } from "./database.ts";
import { preparingClient } from "./preparing-client.ts";

/** How PostgreSQL is reached: node-postgres, or a driver with its interface. */
export interface PostgresDriver {
  /** @param keepsSession whether a connection is one session of the server for as long as it is open */
  createPool(config: pg.PoolConfig, keepsSession: boolean): pg.Pool;
  createClient(config: pg.ClientConfig): pg.Client;
  toOrm(client: pg.Pool | pg.PoolClient): Orm;
  /** Whether sessions can be set up in the connection's start message, for poolers refuse that. */
  takesOptions: boolean;
  /** Whether statements may be sent before earlier ones are answered. */
  pipelines: boolean;
  /** Whether pg-boss can connect by itself, over TCP. */
  isTcp: boolean;
}

/** Making one takes longer than most queries: one for each client, for as long as it lives. */
const orms = new WeakMap<pg.Pool | pg.PoolClient, Orm>();

function ormOf(client: pg.Pool | pg.PoolClient): Orm {
  const orm = orms.get(client) ?? (drizzle({ client }) as unknown as Orm); // cast: the row kind differs by driver only
  orms.set(client, orm);
  return orm;
}

export const NODE_POSTGRES: PostgresDriver = {
  createPool: (config, keepsSession) =>
    new pg.Pool({
      ...config,
      pipeline: true,
      Client: keepsSession ? preparingClient() : pg.Client,
    } as pg.PoolConfig),
  createClient: (config) => new pg.Client(config),
  toOrm: ormOf,
  takesOptions: true,
  pipelines: true,
  isTcp: true,
};
