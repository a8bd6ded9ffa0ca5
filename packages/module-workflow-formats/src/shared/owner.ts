import type { Principal } from "@oven/contract";

/** The owner of rows: a source document belongs to one user of one tenant. */
export interface Owner {
  tenantId: number;
  userId: number;
}

export const ownerOf = ({ tenantId, userId }: Principal): Owner => ({ tenantId, userId: userId ?? 0 });
