import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<number | undefined>();

/** Keeps everything that `work` reads or writes through `Database` within the tenant, where the database has row-level security. */
export function withinTenant<T>(tenantId: number, work: () => T): T {
  return scope.run(tenantId, work);
}

/** Leaves the tenant, for work that serves all tenants and was only started by one of them. */
export function outsideTenants<T>(work: () => T): T {
  return scope.run(undefined, work);
}

/**
 * The tenant that `withinTenant` has set for the code that is running.
 * @returns undefined outside of it
 */
export function currentTenant(): number | undefined {
  return scope.getStore();
}
