import { z } from "zod";

/*
 * A backup is a gzip stream of lines of JSON: the header, then of each table its name, its rows and its digest, then the sequences, and
 * the total as the last line. A row is an array of texts in the order of the columns: what PostgreSQL writes for the value, base64 for
 * bytes, null for null. A file without its last line is not whole.
 */

/** The format's number; a reader refuses others. */
export const BACKUP_FORMAT = 1;

const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Base64 = z.base64();

/** The installation's secret, sealed with a key that scrypt makes of a passphrase: AES-256-GCM. */
export const SealedSecretSchema = z.strictObject({
  kdf: z.literal("scrypt"),
  /** Cost (a power of two), block size and parallelism of scrypt. */
  n: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
  salt: Base64.max(64),
  nonce: Base64.max(32),
  tag: Base64.max(32),
  text: Base64.max(65_536),
});
export type SealedSecret = z.infer<typeof SealedSecretSchema>;

/** The first line: from where it is, which tables it takes to restore it, and which secret. */
export const BackupHeaderSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  /** Of the OVEN that made it. */
  version: z.string().max(64),
  madeAt: z.iso.datetime(),
  database: z.enum(["pglite", "postgres"]),
  secret: z.strictObject({
    /** Names the secret and reveals nothing of it: which secret opens what the rows have sealed. */
    fingerprint: z.string().max(64),
    sealed: SealedSecretSchema.optional(),
  }),
  /** What was applied of each module; `madeAt` in milliseconds. */
  migrations: z.array(z.strictObject({ module: z.string().max(100), hash: z.string().max(128), madeAt: z.number() })),
});
export type BackupHeader = z.infer<typeof BackupHeaderSchema>;

/** The line before the rows of a table. */
export const BackupTableSchema = z.strictObject({
  table: z.string().max(63),
  columns: z.array(z.strictObject({ name: z.string().max(63), type: z.string().max(100) })).max(100),
});
export type BackupTable = z.infer<typeof BackupTableSchema>;

/** The digest is SHA-256 of the rows, each with its line end. */
export const BackupTableEndSchema = z.strictObject({ end: z.string().max(63), rows: z.int().min(0), sha256: Digest });
export type BackupTableEnd = z.infer<typeof BackupTableEndSchema>;

/** The line after the tables: the last number that each sequence gave out, or the first that it will when it was never called. */
export const BackupSequencesSchema = z.strictObject({
  sequences: z.array(
    z.strictObject({ name: z.string().max(63), value: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() }),
  ),
});
export type BackupSequences = z.infer<typeof BackupSequencesSchema>;

/** The digest is SHA-256 of all lines before, each with its line end. */
export const BackupTotalSchema = z.strictObject({ tables: z.int().min(0), rows: z.int().min(0), sha256: Digest });
export type BackupTotal = z.infer<typeof BackupTotalSchema>;

/** What `oven backup` sends to the running server. The secret is sealed by the command: the passphrase stays where it is. */
export const RequestBackupSchema = z.strictObject({
  /** Signed with the installation's secret. */
  token: z.string().min(1).max(200),
  sealed: SealedSecretSchema.optional(),
});
