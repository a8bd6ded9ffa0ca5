import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<number | undefined>();

/** Everything that `work` reads or writes through `Database` stays within the tenant, where the database has a wall for it. */
export function withinTenant<T>(tenantId: number, work: () => T): T {
  return scope.run(tenantId, work);
}

/** For what serves all tenants and happens to be set in motion by one of them. */
export function outsideTenants<T>(work: () => T): T {
  return scope.run(undefined, work);
}

export function currentTenant(): number | undefined {
  return scope.getStore();
}
