import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 in hex");
const at = z.iso.datetime();

/** What people decided, and on what. Persons are named by the numbers of their accounts. */
export const DecisionSchema = z.strictObject({
  review: z.int(),
  run: z.int(),
  node: z.string(),
  /** Digest of what was shown and, where it was approved, let through. */
  shown: z.string(),
  action: z.string().nullable(),
  /** Those who decided; empty: its deadline passed. */
  by: z.array(z.int()),
  at: at.nullable(),
});
export type Decision = z.infer<typeof DecisionSchema>;

/** What the issuer says of a run that has ended. */
export const ReceiptSchema = z.strictObject({
  format: z.literal("oven-receipt"),
  version: z.literal(1),
  issuer: z.string(),
  kid: hash,
  issuedAt: at,
  tenant: z.int(),
  run: z.strictObject({
    kind: z.string(),
    id: z.int(),
    status: z.string(),
    startedAt: at.nullable(),
    endedAt: at.nullable(),
    /** How many runs it is of: itself and those that it called. */
    family: z.int().positive(),
  }),
  workflow: z.strictObject({
    id: z.int(),
    slug: z.string(),
    version: z.int(),
    /** Content hash of the definition. */
    definition: hash,
    /** Of the list of all that it used: workflows, agents and policies, with their versions and hashes. */
    closure: hash,
  }),
  /** Salted digests: what they are of stands in the first entry of the log. */
  input: hash,
  output: hash,
  log: z.strictObject({ entries: z.int().positive(), head: hash }),
  decisions: z.strictObject({
    count: z.int().nonnegative(),
    hash,
    /** Left out where there are too many: they stand in the log. */
    list: z.array(DecisionSchema).optional(),
  }),
  /** Of the certificate of the version's policies; null: there is none. */
  certificate: hash.nullable(),
});
export type Receipt = z.infer<typeof ReceiptSchema>;

/** A receipt's file is one line: this, in canonical JSON. */
export const ReceiptFileSchema = z.strictObject({
  receipt: ReceiptSchema,
  /** The public key; that it is the issuer's, only the issuer can say. */
  key: z.string(),
  signature: z.string(),
  /** Beside the receipt, which has its hash. */
  certificate: z.unknown().optional(),
});
export type ReceiptFile = z.infer<typeof ReceiptFileSchema>;

/** One entry of a log: a line of its file. Without `data` and `salt` it still has its place in the chain. */
export const LogEntrySchema = z.strictObject({
  run: z.int(),
  seq: z.int().nonnegative(),
  type: z.string(),
  at: at.nullable(),
  digest: hash,
  salt: z.string().optional(),
  /** JSON: it was read as such. */
  data: z.unknown().optional(),
});
export type LogEntry = z.infer<typeof LogEntrySchema>;

/** The type of the entry that is about a run itself. */
export const RUN_ENTRY = "receipt.run";
/** The type of an entry with a `Decision`. */
export const DECISION_ENTRY = "receipt.decision";

/** Bytes of a receipt without its certificate. */
export const MAX_RECEIPT_BYTES = 2_048;
