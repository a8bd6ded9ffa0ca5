import { AsyncLocalStorage } from "node:async_hooks";
import type { NewRow } from "@oven/db";
import { type Act, type AuditTrail, toAuditRecord } from "./audit-trail.ts";

/** The client closed the connection before the answer. */
const CLIENT_GONE = 499;

const serving = new AsyncLocalStorage<AuditContext>();

/** The audit row of a request, for code that writes it together with the requested change. */
export interface ClaimedAudit {
  row: NewRow;
  /** "left": the row was not written; the next claim or the end of the request writes it. */
  settle(outcome: "written" | "left"): void;
}

/**
 * A request that is being served. Where its route knows the status of the answer, the code that makes the requested change can write the
 * audit row in the same transaction, so that neither exists without the other.
 */
export class AuditContext {
  readonly #act: Act;
  readonly #trail: AuditTrail;
  #expected: number | undefined;
  /** Whether the claimed row was written; undefined while there is no claim. */
  #claimed: Promise<boolean> | undefined;
  #isEnded = false;

  constructor(act: Act, trail: AuditTrail) {
    this.#act = act;
    this.#trail = trail;
  }

  serve<T>(work: () => Promise<T>): Promise<T> {
    return serving.run(this, work);
  }

  expect(status: number): void {
    this.#expected = status;
  }

  claim(): ClaimedAudit | undefined {
    if (this.#expected === undefined || this.#claimed !== undefined || this.#isEnded) return undefined;
    const row = this.#trail.toRow(toAuditRecord(this.#act, { status: this.#expected }));
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#claimed = promise;
    return {
      row,
      settle: (outcome) => {
        resolve(outcome === "written");
        if (outcome === "left" && this.#claimed === promise) this.#claimed = undefined;
      },
    };
  }

  /**
   * Writes the audit row, unless a claim has written it with the status that came true, or with the change of a client that closed the
   * connection. A streamed answer may begin before.
   */
  async end(result: Parameters<typeof toAuditRecord>[1]): Promise<void> {
    this.#isEnded = true;
    const isWritten = await this.#claimed;
    const record = toAuditRecord(this.#act, result);
    const isRecorded = isWritten === true && (record.status === this.#expected || record.status === CLIENT_GONE);
    if (!isRecorded) await this.#trail.record(record);
  }
}

/** Declares the status with which the current request will be answered unless it fails, so that its audit row may be written before. */
export function expectReply(status: number): void {
  serving.getStore()?.expect(status);
}

/** Claims the audit row of the current request; undefined when it is claimed already or the status is not known. */
export function claimAudit(): ClaimedAudit | undefined {
  return serving.getStore()?.claim();
}
