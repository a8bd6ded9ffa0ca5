import { z } from "zod";

/** Whose data is meant: an account of the tenant, or an e-mail address that need not have one. */
export const PersonChoiceSchema = z.union([
  z.strictObject({ userId: z.int().positive() }),
  z.strictObject({ email: z.email().max(320).toLowerCase() }),
]);
export type PersonChoice = z.infer<typeof PersonChoiceSchema>;

/** Which person is to be erased. `confirm` repeats their e-mail address, so that none is erased by a slip. */
export const ErasePersonSchema = z.union([
  z.strictObject({ userId: z.int().positive(), confirm: z.string().max(320) }),
  z.strictObject({ email: z.email().max(320).toLowerCase(), confirm: z.string().max(320) }),
]);

/** What a table holds of a person, and what erasing does or did to it. */
export const PersonHoldingSchema = z.strictObject({
  module: z.string(),
  table: z.string(),
  title: z.string(),
  /** How many rows there are; after erasing, how many were erased. */
  rows: z.int(),
  /** `delete` and `remove`: the rows go; `clear`: what names the person in them goes; `retain`: they stay. */
  erasure: z.enum(["delete", "clear", "remove", "retain"]),
  /** Why rows stay; null: none do. */
  why: z.string().nullable(),
  /** Runs that were not erased, because they have not ended or others go on from them: to be cancelled first. At most 100. */
  left: z.array(z.int()),
});
export type PersonHoldings = z.infer<typeof PersonHoldingSchema>;

/** What an installation holds of a person. */
export const PersonReportSchema = z.strictObject({
  /** The account; null: there is none. */
  userId: z.int().nullable(),
  email: z.string().nullable(),
  holdings: z.array(PersonHoldingSchema),
});
export type PersonReport = z.infer<typeof PersonReportSchema>;

/** A person's data as `POST /api/persons/export` and `GET /api/account/personal-data` answer it. */
export const PersonExportSchema = z.strictObject({
  format: z.literal("oven-person"),
  formatVersion: z.literal(1),
  exportedAt: z.string(),
  subject: z.strictObject({ userId: z.int().nullable(), email: z.string().nullable() }),
  /** Each row as the database has it, without secrets. */
  holdings: z.array(
    z.strictObject({
      module: z.string(),
      table: z.string(),
      title: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});
export type PersonExport = z.infer<typeof PersonExportSchema>;

/** A tenant's data as `GET /api/tenants/[id]/export` answers it. */
export const TenantExportSchema = z.strictObject({
  format: z.literal("oven-tenant"),
  formatVersion: z.literal(1),
  exportedAt: z.string(),
  tenant: z.strictObject({ id: z.int(), name: z.string() }),
  tables: z.array(
    z.strictObject({
      table: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});
export type TenantExport = z.infer<typeof TenantExportSchema>;

/** Erases a tenant. `confirm` repeats its name. */
export const EraseTenantSchema = z.strictObject({ confirm: z.string().max(200) });

/** How many rows of each table are gone; tables that had none are left out. */
export const ErasedTenantSchema = z.strictObject({
  tables: z.array(z.strictObject({ table: z.string(), rows: z.int() })),
});
export type ErasedTenant = z.infer<typeof ErasedTenantSchema>;
