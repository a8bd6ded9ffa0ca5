/** Tables of a tenant: their columns, rows, filters, imports and tools. */
export * from "../table.ts";
export * from "../table-values.ts";
