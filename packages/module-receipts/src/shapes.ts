/** What pages show of keys. */
export type { KeySet, PublicKey } from "@oven/receipts";
