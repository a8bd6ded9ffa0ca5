import { isAbsolute } from "node:path";
import { OvenError } from "@oven/contract";
import type { EnvironmentVariable } from "@oven/module-registry";
import { z } from "zod";

const TO = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** What an operator sets for scheduled backups. */
export const backupVariables: EnvironmentVariable[] = [
  {
    name: "OVEN_BACKUP_TO",
    description:
      "Where [scheduled backups](docs/guides/backup.md#scheduled-backups) go: an absolute path of a directory, or `s3://bucket/prefix`; none are made without it",
    schema: z
      .string()
      .refine((value) => isAbsolute(value) || TO.test(value), "an absolute path of a directory, or s3://bucket/prefix"),
  },
  {
    name: "OVEN_BACKUP_HOURS",
    description: "Hours between two scheduled backups, 1 to 720; 24 unless set",
    schema: z.string().regex(/^([1-9]\d?|[1-6]\d\d|7[01]\d|720)$/, "a whole number from 1 to 720"),
  },
  {
    name: "OVEN_BACKUP_COUNT",
    description: "How many scheduled backups stay, 1 to 1000; older ones are removed; 7 unless set",
    schema: z.string().regex(/^([1-9]\d{0,2}|1000)$/, "a whole number from 1 to 1000"),
  },
  {
    name: "OVEN_BACKUP_PASSPHRASE_FILE",
    description: "File whose first line is a passphrase: scheduled backups have the secret, sealed with it",
    schema: z.string().refine(isAbsolute, "an absolute path of a file"),
  },
  {
    name: "OVEN_BACKUP_S3_ENDPOINT",
    description:
      "Address of a store that speaks the protocol of Amazon S3, such as `https://minio.example:9000`; Amazon's unless set",
    schema: z.url({ protocol: /^https?$/ }),
  },
  {
    name: "OVEN_BACKUP_S3_REGION",
    description: "Region of the bucket; `us-east-1` unless set",
    schema: z.string().regex(/^[a-z0-9-]{1,40}$/, "the name of a region"),
  },
  {
    name: "OVEN_BACKUP_S3_KEY_ID",
    description: "Access key of the bucket, which may list, write and delete there",
    schema: z.string().min(1),
  },
  {
    name: "OVEN_BACKUP_S3_SECRET_KEY",
    description: "Secret of that access key",
    schema: z.string().min(8),
    isSecret: true,
  },
];

export interface S3Settings {
  /** Without a slash at its end; absent: Amazon's of the region. */
  endpoint: string | undefined;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  region: string;
  keyId: string;
  secretKey: string;
}

export interface BackupSchedule {
  to: { directory: string } | { s3: S3Settings };
  everyMs: number;
  count: number;
  passphraseFile: string | undefined;
}

/**
 * @param variables as they are declared and checked
 * @returns undefined when no backups are scheduled
 * @throws OvenError INVALID_ENVIRONMENT when a variable is missing beside another
 */
export function readSchedule(variables: Readonly<Record<string, string | undefined>> = {}): BackupSchedule | undefined {
  const to = variables.OVEN_BACKUP_TO;
  if (to === undefined) return undefined;
  const [, bucket, prefix = ""] = TO.exec(to) ?? [];
  return {
    to: bucket === undefined ? { directory: to } : { s3: toS3(variables, bucket, prefix) },
    everyMs: Number(variables.OVEN_BACKUP_HOURS ?? 24) * 3_600_000,
    count: Number(variables.OVEN_BACKUP_COUNT ?? 7),
    passphraseFile: variables.OVEN_BACKUP_PASSPHRASE_FILE,
  };
}

function toS3(variables: Readonly<Record<string, string | undefined>>, bucket: string, prefix: string): S3Settings {
  const { OVEN_BACKUP_S3_KEY_ID: keyId, OVEN_BACKUP_S3_SECRET_KEY: secretKey } = variables;
  if (keyId === undefined || secretKey === undefined)
    throw new OvenError(
      "INVALID_ENVIRONMENT",
      "OVEN_BACKUP_TO: a bucket needs OVEN_BACKUP_S3_KEY_ID and OVEN_BACKUP_S3_SECRET_KEY",
      {
        fix: "Set both, or let OVEN_BACKUP_TO name a directory.",
      },
    );
  return {
    endpoint: variables.OVEN_BACKUP_S3_ENDPOINT?.replace(/\/+$/, ""),
    bucket,
    prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
    region: variables.OVEN_BACKUP_S3_REGION ?? "us-east-1",
    keyId,
    secretKey,
  };
}
