import { randomUUID } from "node:crypto";
import { type Database, outsideTenants } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { NextLook, SWEEP_MS } from "@oven/module-registry";
import { aiDocuments } from "../tables/ai-documents.table.ts";
import type { Models } from "../vector-stores/query-store.ts";
import { refreshSearch } from "../vector-stores/refresh-search.ts";
import { openVectorExtension } from "../vector-stores/vector-extension.ts";
import { indexIfLarge } from "../vector-stores/vector-index.ts";
import { findStore } from "../vector-stores/vector-store-rows.ts";
import { type DocumentRow, itemPrefix } from "./document-rows.ts";
import { type TakenIn, takeIn, toFailure } from "./take-in.ts";

const LEASE_SECONDS = 180;
/** Between looks for what is due already and was not taken. */
const SOONEST_MS = 250;
const MAX_ATTEMPTS = 6;
const BACKOFF_SECONDS = [2, 10, 60, 300, 900];

/** The document was given new content or deleted meanwhile, or another process has it. */
class LeaseLost extends Error {}

interface Options {
  /** Seconds to wait after failed attempts. */
  backoff?: readonly number[];
  /** Pages of one document whose text is recognized at most. */
  recognitionPages: number;
}

/**
 * Takes documents in, one at a time per process: the row is the job. A lease on the database's clock keeps two processes
 * from one document; when a process dies, another goes on where it stopped.
 */
export class IngestWorker {
  readonly #db: Database;
  readonly #models: Models;
  readonly #backoff: readonly number[];
  readonly #recognitionPages: number;
  readonly #stopping = new AbortController();
  readonly #next: NextLook;
  #isStarted = false;
  #running: Promise<void> | undefined;
  #again = false;
  /** Whether the texts that an older version wrote are prepared for the search by words. */
  #isRefreshed = false;

  constructor(db: Database, models: Models, { backoff = BACKOFF_SECONDS, recognitionPages }: Options) {
    this.#db = db;
    this.#models = models;
    this.#backoff = backoff;
    this.#recognitionPages = recognitionPages;
    this.#next = new NextLook(() => this.wake(), { db, unref: true });
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Looks for work now instead of at the next sweep. */
  wake(): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    this.#again = true;
    // Whoever added a document set it in motion; the work is for all tenants.
    this.#running ??= outsideTenants(() => this.#run());
  }

  /** What is being taken in is left where it is; the next process goes on. */
  async stop(): Promise<void> {
    this.#next.cancel();
    this.#stopping.abort(new Error("the process stops"));
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#next.begin();
    let untilNext: number | undefined;
    try {
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false;
        const document = await this.#claim();
        if (document === undefined) {
          // Documents come first.
          this.#isRefreshed ||= !(await refreshSearch(this.#db));
          this.#again ||= !this.#isRefreshed;
          continue;
        }
        this.#again = true;
        await this.#work(document);
      }
      untilNext = await this.#untilNext();
    } catch (error) {
      console.warn(`documents: the database could not be asked, the next sweep tries again: ${String(error)}`);
      untilNext = SWEEP_MS;
    } finally {
      this.#running = undefined;
      if (!this.#stopping.signal.aborted) this.#next.end(untilNext);
    }
  }

  /** Milliseconds until a document is tried again, or is taken from a process that has gone. */
  async #untilNext(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ left: number | null }>(
      `select (extract(epoch from min(case status when 'queued' then due_at else lease_until end) - now()) * 1000)::float8 as "left"
       from ai_documents where status in ('queued', 'running')`,
    );
    return row?.left == null ? undefined : Math.max(SOONEST_MS, row.left);
  }

  async #claim(): Promise<DocumentRow | undefined> {
    const token = randomUUID();
    const rows = await this.#db.query<{ id: number }>(
      `update ai_documents set status = 'running', lease_token = $1, attempts = attempts + 1,
         lease_until = now() + interval '${LEASE_SECONDS} seconds'
       where id = (select id from ai_documents where due_at <= now()
           and (status = 'queued' or (status = 'running' and lease_until < now()))
         order by due_at, id limit 1 for update skip locked)
       returning id`,
      [token],
    );
    const id = rows[0]?.id;
    if (id === undefined) return undefined;
    const [row] = await this.#db.orm
      .select()
      .from(aiDocuments)
      .where(and(eq(aiDocuments.id, id), eq(aiDocuments.leaseToken, token)));
    return row;
  }

  async #work(document: DocumentRow): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const store = await findStore(this.#db, document.tenantId, document.vectorStoreId);
      const report = async (progress: object) => {
        await this.#update(document, {
          ...progress,
          leaseUntil: sql`now() + interval '${sql.raw(String(LEASE_SECONDS))} seconds'`,
        });
      };
      const deps = { db: this.#db, models: this.#models, recognitionPages: this.#recognitionPages };
      const taken = await takeIn(deps, store, document, report, signal);
      await this.#publish(document, taken);
      if (await openVectorExtension(this.#db)) await indexIfLarge(this.#db, store);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      await (signal.aborted ? this.#giveBack(document) : this.#fail(document, error));
    }
  }

  /** The new items are found from now on, and the old ones no more. */
  async #publish(document: DocumentRow, { chunks, warnings }: TakenIn): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const counts = { chunks, done: chunks, total: chunks };
      const done = { status: "ready" as const, ...counts, warnings, error: null, ...NO_LEASE };
      const rows = await tx.orm
        .update(aiDocuments)
        .set(done)
        .where(this.#held(document))
        .returning({ id: aiDocuments.id });
      if (rows.length === 0) throw new LeaseLost();
      const prefix = itemPrefix(document);
      await tx.query("delete from ai_vector_items where document_id = $1 and not starts_with(key, $2)", [
        document.id,
        prefix,
      ]);
      await tx.query("update ai_vector_items set pending = false where document_id = $1 and pending", [document.id]);
    });
  }

  async #fail(document: DocumentRow, error: unknown): Promise<void> {
    const { retryable, ...failure } = toFailure(error);
    if (retryable && document.attempts < MAX_ATTEMPTS) {
      const seconds = this.#backoff[Math.min(document.attempts, this.#backoff.length) - 1] ?? 0;
      const dueAt = sql`now() + make_interval(secs => ${seconds})`;
      await this.#update(document, { status: "queued", error: failure, dueAt, ...NO_LEASE }, "if held");
      return;
    }
    await this.#db.transaction(async (tx) => {
      const failed = { status: "failed" as const, error: failure, ...NO_LEASE };
      const rows = await tx.orm
        .update(aiDocuments)
        .set(failed)
        .where(this.#held(document))
        .returning({ id: aiDocuments.id });
      if (rows.length > 0)
        await tx.query("delete from ai_vector_items where document_id = $1 and pending", [document.id]);
    });
  }

  async #giveBack(document: DocumentRow): Promise<void> {
    const attempts = document.attempts - 1;
    await this.#update(document, { status: "queued", attempts, ...NO_LEASE }, "if held");
  }

  async #update(
    document: DocumentRow,
    values: Parameters<ReturnType<Database["orm"]["update"]>["set"]>[0],
    lost: "throw" | "if held" = "throw",
  ): Promise<void> {
    const rows = await this.#db.orm
      .update(aiDocuments)
      .set({ ...values, updatedAt: sql`now()` })
      .where(this.#held(document))
      .returning({ id: aiDocuments.id });
    if (rows.length === 0 && lost === "throw") throw new LeaseLost();
  }

  #held({ id, leaseToken }: DocumentRow) {
    return and(eq(aiDocuments.id, id), eq(aiDocuments.leaseToken, leaseToken ?? ""));
  }
}

const NO_LEASE = { leaseToken: null, leaseUntil: null };
