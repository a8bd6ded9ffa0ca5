import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Json, notFound, OvenError, type Principal } from "@oven/contract";
import { type ExecutionStatus, isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { type PinnedRun, requireDetails } from "@oven/module-workflows";
import {
  type Certificate,
  canonical,
  digestOf,
  LogChain,
  MAX_RECEIPT_BYTES,
  type Receipt,
  ReceiptFileSchema,
  sha256,
  signReceipt,
} from "@oven/receipts";
import type { ReceiptKeys, SigningKey } from "../keys/receipt-keys.ts";
import { runReceiptSalts, runReceipts } from "../schema.ts";
import { decisionsIn } from "./decisions.ts";
import { logEntries, type SaltedEntry, toLine } from "./log-entries.ts";
import { usedVersions } from "./used-versions.ts";

export interface ReceiptServiceDeps {
  db: Database;
  services: Pick<ServiceMap, "workflowPlatform" | "agents">;
  keys: ReceiptKeys;
  issuer: string;
  /** What is proved of the policies of a run's version; null: nothing can be. */
  certify(run: PinnedRun): Promise<Certificate | null>;
}

type StoredReceipt = Pick<typeof runReceipts.$inferSelect, "head" | "file" | "certificate" | "used" | "digests">;
type Family = readonly [PinnedRun, ...PinnedRun[]];

interface Found {
  runs: Family;
  stored: StoredReceipt;
  salt: string;
}

/** Characters of one piece of a log. */
const PIECE = 65_536;

/** Receipts of runs that have ended. A run has one: it is signed when it is first asked for, and given out again as it was. */
export class ReceiptService {
  readonly #deps: ReceiptServiceDeps;

  constructor(deps: ReceiptServiceDeps) {
    this.#deps = deps;
  }

  /**
   * The file of a run's receipt, as one line.
   * @param withCertificate whether what is proved of its policies stands beside it
   * @throws OvenError NOT_FOUND, STILL_RUNNING 409, DETAILS_REMOVED 409 when it was never asked for, RECEIPT_MISMATCH 409
   */
  async file(principal: Principal, id: number, withCertificate: boolean): Promise<string> {
    const { stored } = await this.#find(principal, id);
    if (!withCertificate || stored.certificate === null) return stored.file;
    const file = ReceiptFileSchema.parse(JSON.parse(stored.file));
    return `${canonical({ ...file, certificate: stored.certificate } as Json)}\n`; // cast: what was parsed is JSON
  }

  /**
   * The lines of the log that the receipt is about: with their data as long as the run has its own, else without.
   * @throws OvenError as `file`
   */
  async log(principal: Principal, id: number): Promise<AsyncGenerator<string, void>> {
    const { salt, ...found } = await this.#find(principal, id);
    if (salt === undefined) return storedLines(found.stored.digests);
    return linesOf(await this.#entries({ ...found, salt }, principal));
  }

  /** @returns without a salt once the run's data is gone */
  async #find(principal: Principal, id: number): Promise<Omit<Found, "salt"> & { salt: string | undefined }> {
    const [root, ...children] = await this.#deps.services.workflowPlatform.pinnedRuns(principal, id);
    if (root === undefined) throw notFound("execution", id);
    const runs: Family = [root, ...children];
    for (const { row } of runs) requireEnded(row);
    const isNew = (await this.#read(id)) === undefined;
    if (isNew) {
      for (const { row } of runs) requireDetails(row);
      await this.#issue(principal, runs);
    }
    const stored = await this.#read(id);
    if (stored === undefined) throw new Error(`the receipt of run ${id} was written and is not there`);
    const salt = runs.some(({ row }) => row.contextSeq < 0) ? undefined : await this.#saltOf(id);
    if (salt !== undefined && !isNew) await this.#requireUnchanged({ runs, stored, salt }, principal);
    return { runs, stored, salt };
  }

  async #read(id: number): Promise<StoredReceipt | undefined> {
    const { head, file, certificate, used, digests, executionId } = runReceipts;
    const [row] = await this.#deps.db.orm
      .select({ head, file, certificate, used, digests })
      .from(runReceipts)
      .where(eq(executionId, id));
    return row;
  }

  /** Signs what the run's rows say now, unless another process does so at the same time. */
  async #issue(principal: Principal, runs: Family): Promise<void> {
    const { db, services, keys, certify, issuer } = this.#deps;
    const [root] = runs;
    const salt = randomBytes(32).toString("base64url");
    const decisions = await decisionsIn(services.workflowPlatform.reviews, principal, root.row.id);
    const used = await usedVersions(services, root);
    const chain = new LogChain();
    const digests: string[] = [];
    let first: SaltedEntry | undefined;
    for await (const entry of logEntries(runs, { decisions, used, salt })) {
      const { data: _data, salt: _salt, ...bare } = entry;
      first ??= entry;
      chain.add(bare);
      digests.push(toLine(bare));
    }
    if (first === undefined) throw new Error("a log has an entry about the run");
    const certificate = await certify(root);
    const key = await keys.signing();
    const { row, slug, pinned, kind } = root;
    const receipt: Receipt = {
      format: "oven-receipt",
      version: 1,
      issuer,
      kid: key.kid,
      issuedAt: key.at,
      tenant: row.tenantId,
      run: {
        ...{ kind, id: row.id, status: row.status, family: runs.length },
        startedAt: row.startedAt?.toISOString() ?? null,
        endedAt: row.completedAt?.toISOString() ?? null,
      },
      workflow: {
        ...{ id: row.workflowId, slug, version: row.workflowVersion, definition: pinned.version.contentHash },
        closure: sha256(canonical(used)),
      },
      input: digestOf(row.input, first.salt),
      output: digestOf(row.output, first.salt),
      log: { entries: chain.entries, head: chain.head },
      decisions: { count: decisions.length, hash: sha256(canonical(decisions)), list: decisions },
      certificate: certificate === null ? null : sha256(canonical(certificate as Json)), // cast: it is JSON
    };
    const file = toFile(receipt, key);
    const zipped = await promisify(gzip)(digests.join(""));
    const endedAt = row.completedAt ?? new Date(key.at);
    const json = (value: object | null) => value && JSON.stringify(value);
    await db.transaction(async (tx) => {
      const [written] = await tx.query(
        `insert into run_receipts (execution_id, tenant_id, head, file, certificate, used, digests, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning execution_id`,
        [row.id, row.tenantId, chain.head, file, json(certificate), json(used), zipped, endedAt],
      );
      if (written === undefined) return;
      await tx.query(
        "insert into run_receipt_salts (execution_id, tenant_id, salt, ended_at) values ($1, $2, $3, $4)",
        [row.id, row.tenantId, salt, endedAt],
      );
    });
  }

  async #saltOf(id: number): Promise<string | undefined> {
    const { salt, executionId } = runReceiptSalts;
    const [row] = await this.#deps.db.orm.select({ salt }).from(runReceiptSalts).where(eq(executionId, id));
    return row?.salt;
  }

  /** @throws OvenError RECEIPT_MISMATCH when the log is not the one that was signed */
  async #requireUnchanged(found: Found, principal: Principal): Promise<void> {
    const chain = new LogChain();
    for await (const entry of await this.#entries(found, principal)) chain.add(entry);
    const { head: signed } = found.stored;
    if (chain.head === signed) return;
    const { id } = found.runs[0].row;
    console.error(`the log of run ${id} is not the one that its receipt was signed for: rows of it were changed`);
    throw new OvenError("RECEIPT_MISMATCH", `The log of execution ${id} has changed since its receipt was signed`, {
      status: 409,
      fix: "Compare it with a log that was downloaded before, or with a backup. No second receipt is signed.",
      details: { signed, present: chain.head },
    });
  }

  /** The log as it is now. */
  async #entries({ runs, stored, salt }: Found, principal: Principal): Promise<AsyncGenerator<SaltedEntry, void>> {
    const [{ row }] = runs;
    const decisions = await decisionsIn(this.#deps.services.workflowPlatform.reviews, principal, row.id);
    return logEntries(runs, { decisions, used: stored.used, salt });
  }
}

function requireEnded({ id, status }: PinnedRun["row"]): void {
  // cast: only the engine writes it
  if (isTerminal(status as ExecutionStatus)) return;
  throw new OvenError("STILL_RUNNING", `Execution ${id} is ${status}: only a run that has ended has a receipt`, {
    status: 409,
    fix: "Wait for its end, or cancel it.",
  });
}

/** The signed line. Where the decisions make it too long they are left to the log, by their hash. */
function toFile(receipt: Receipt, { publicKey: key, privateKey }: SigningKey): string {
  const signed = (body: Receipt): string => {
    const signature = signReceipt(body as Json, privateKey); // cast: a receipt is JSON
    return `${canonical({ receipt: body, key, signature } as Json)}\n`; // cast: as above
  };
  const whole = signed(receipt);
  if (Buffer.byteLength(whole) <= MAX_RECEIPT_BYTES) return whole;
  const { list: _list, ...decisions } = receipt.decisions;
  return signed({ ...receipt, decisions });
}

async function* linesOf(entries: AsyncGenerator<SaltedEntry, void>): AsyncGenerator<string, void> {
  let piece = "";
  for await (const entry of entries) {
    piece += toLine(entry);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

async function* storedLines(digests: Uint8Array): AsyncGenerator<string, void> {
  yield (await promisify(gunzip)(digests)).toString("utf8");
}
