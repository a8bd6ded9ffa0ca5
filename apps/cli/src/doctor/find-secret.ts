import type { Queryable } from "@oven/db";
import { secretFingerprint } from "@oven/module-registry";
import { type Finding, ofInstallation } from "./finding.ts";
import { hasTable } from "./read-published.ts";

/** Whether the secret at hand opens what is sealed in the database; each value names the key that sealed it. */
export async function findSecretProblems(
  db: Queryable,
  secret: string | undefined,
  previous: readonly string[],
): Promise<Finding[]> {
  if (!(await hasTable(db, "secrets"))) return [];
  const sealed = await db.query<{ keyId: string; count: number }>(
    `select key_id as "keyId", count(*)::int as count from secrets group by key_id order by key_id`,
  );
  const count = sealed.reduce((sum, one) => sum + one.count, 0);
  if (secret === undefined)
    return count === 0
      ? []
      : [
          ofInstallation(
            "secret",
            "OVEN_SECRET",
            `it is not set and not in the data directory: ${count} stored credentials cannot be read, and the server would make a new one`,
            "Set it to the value that the server had, or copy the file secret into the data directory.",
          ),
        ];
  const known = new Set([secret, ...previous].map(secretFingerprint));
  const unreadable = sealed.filter(({ keyId }) => !known.has(keyId));
  if (unreadable.length === 0) return [];
  const lost = unreadable.reduce((sum, one) => sum + one.count, 0);
  const keys = unreadable.map(({ keyId }) => keyId).join(", ");
  return [
    ofInstallation(
      "secret",
      "OVEN_SECRET",
      `${lost} of ${count} stored credentials were sealed with another one (fingerprint ${keys})`,
      "Name it in OVEN_SECRET_PREVIOUS, or write these credentials anew.",
    ),
  ];
}
