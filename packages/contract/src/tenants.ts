/** The tenant of an installation with one. */
export const DEFAULT_TENANT = 1;
/** The owner of rows that all tenants see. */
export const SHARED_TENANT = 0;
