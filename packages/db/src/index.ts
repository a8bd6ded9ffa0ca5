export { createPendingMigrations, listPending } from "./applied-migrations.ts";
export { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "./columns.ts";
export { type ConnectOptions, connectDatabase } from "./connect.ts";
export { databaseUnavailable, isConnectionLost } from "./connection-lost.ts";
export { type DataDirLock, lockDataDir } from "./data-dir-lock.ts";
export type {
  ColumnValue,
  Database,
  Dialect,
  NamedQuery,
  NewRow,
  Orm,
  Queryable,
  Row,
  SqlPort,
  Transaction,
} from "./database.ts";
export { type Clock, databaseClock } from "./database-clock.ts";
export { migrate } from "./migrate.ts";
export type { MigrationSet } from "./migration-files.ts";
export { markMoved } from "./moved-marker.ts";
export type { OwnWrites } from "./own-writes.ts";
export { BatchError, type PreparedCall } from "./prepared-batch.ts";
export { makeDataDirPrivate } from "./private-data-dir.ts";
export { isStorageFull, storageFull } from "./storage-full.ts";
export { currentTenant, outsideTenants, withinTenant } from "./tenant-scope.ts";
