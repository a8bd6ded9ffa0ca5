import { DEFAULT_TENANT, OvenError, type Principal } from "@oven/contract";
import { defineRoute, ok, type Permission, type Route } from "@oven/module-registry";
import { KeySetSchema, PublicKeySchema } from "@oven/receipts";
import type { ReceiptKeys } from "./receipt-keys.ts";

export const keyPermissions: Permission[] = [
  { id: "receipt-keys.rotate", title: "Let a new key sign the receipts of runs" },
];

/** Verifiers keep it for a while; a new key must not be unknown for long. */
const CACHED = { "cache-control": "public, max-age=60" };

export function keyRoutes(deps: () => { keys: ReceiptKeys; issuer: string }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: ".well-known/oven-receipts.json",
      operation: false,
      summary: "The public keys that sign receipts, and those that did",
      access: "public",
      effect: "pure",
      response: KeySetSchema,
      handler: async () => {
        const { keys, issuer } = deps();
        return ok({ issuer, keys: await keys.published() }, CACHED);
      },
    }),
    defineRoute({
      method: "POST",
      path: "receipt-keys/rotate",
      operation: false,
      summary: "Let a new key sign receipts from now on; what earlier ones signed stays valid",
      access: { permission: "receipt-keys.rotate" },
      effect: "at-least-once",
      response: PublicKeySchema,
      handler: async ({ principal }) => {
        requireFirstTenant(principal);
        return ok(await deps().keys.rotate());
      },
    }),
  ];
}

function requireFirstTenant({ tenantId }: Principal): void {
  if (tenantId === DEFAULT_TENANT) return;
  throw new OvenError("FORBIDDEN", "One key signs for all tenants; only users of the first tenant change it", {
    status: 403,
    fix: "Ask the operator of this installation.",
  });
}
