import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { OvenError } from "@oven/contract";
import { RequestBackupSchema } from "@oven/contract/system";
import { openBackup } from "@oven/db/backup";
import { addressOf, defineRoute, type ModuleDeps, type Route, secretFingerprint } from "@oven/module-registry";
import { isBackupToken } from "./backup-token.ts";

/** How long a request waits for the backup before it, whose client may have gone away a moment ago. */
const PATIENCE_MS = 30_000;

/** The backup of everything, for whom the installation's secret vouches: the operator of the machine. */
export function backupRoutes(ready: () => ModuleDeps): Route[] {
  let running: Promise<void> | undefined;
  const waitForTurn = async (): Promise<void> => {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    while (running !== undefined) {
      if (patience.aborted) throw busy();
      await Promise.race([running, pause(PATIENCE_MS, undefined, { signal: patience }).catch(() => undefined)]);
    }
  };
  return [
    defineRoute({
      method: "POST",
      path: "installation/backups",
      operation: false,
      summary: "A backup of the whole installation as a file, for `oven backup` on the server's machine",
      description: "Takes a token that is signed with the installation's secret; no user and no API key may call it.",
      access: "public",
      body: RequestBackupSchema,
      handler: async ({ body, request, services }) => {
        const { db, environment } = ready();
        // Refusals are not written down: anyone who reaches the server could fill the log with them.
        if (!isBackupToken(environment.secret, body.token, Date.now())) throw refused();
        await services.auditTrail?.record({
          ...{ tenantId: 1, action: "backup", actorKind: "system", userId: null, keyId: null },
          ...{ outcome: "done", status: 200, errorCode: null },
          ...{ targetType: "installation", targetId: null, targetVersion: null },
          address: addressOf(request) ?? null,
          userAgent: request.headers.get("user-agent")?.slice(0, 256) ?? null,
        });
        await waitForTurn();
        const fingerprint = secretFingerprint(environment.secret);
        const { stream, done } = openBackup(db, {
          secret: { fingerprint, ...(body.sealed === undefined ? {} : { sealed: body.sealed }) },
        });
        running = done
          .then(() => undefined)
          .catch((error: unknown) => console.error(`a backup was not finished: ${String(error)}`))
          .finally(() => {
            running = undefined;
          });
        // cast: Node's stream of the web is the one that Response takes
        const answer = Readable.toWeb(stream) as unknown as ReadableStream;
        return new Response(answer, { status: 200, headers: { "content-type": "application/gzip" } });
      },
    }),
  ];
}

function refused(): OvenError {
  return new OvenError("BACKUP_TOKEN_INVALID", "A backup takes a token that this installation's secret has signed", {
    status: 403,
    fix: "Use `oven backup` with the server's environment: it needs OVEN_SECRET, or OVEN_DATA_DIR where the secret is.",
  });
}

function busy(): OvenError {
  return new OvenError("BACKUP_RUNNING", "A backup is being taken at this moment", {
    status: 409,
    fix: "Wait until it is through.",
    retryable: true,
  });
}
