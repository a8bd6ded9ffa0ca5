import { AsyncLocalStorage } from "node:async_hooks";
import type { NewRow } from "@oven/db";
import { type Act, type AuditTrail, toAuditRecord } from "./audit-trail.ts";

/** Nobody is answered any more. */
const CLIENT_GONE = 499;

const serving = new AsyncLocalStorage<OpenAct>();

/** Its audit row, for who writes it together with what the request asked for. */
export interface ClaimedAct {
  row: NewRow;
  /** "left": it was not written, and is once the request is answered, or by who claims it next. */
  settle(outcome: "written" | "left"): void;
}

/**
 * A request that is being served. Where its route knows how it will be answered, whoever does what it asks for can write its audit
 * row in the same transaction: then neither is ever there without the other.
 */
export class OpenAct {
  readonly #act: Act;
  readonly #trail: AuditTrail;
  #expected: number | undefined;
  /** Whether whoever has claimed it has written it; undefined: nobody has. */
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

  claim(): ClaimedAct | undefined {
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
   * Writes how it was answered, unless that was written as it was expected, or whoever asked went away before: what was done is
   * written down. The answer of a call that goes on may begin before.
   */
  async end(result: Parameters<typeof toAuditRecord>[1]): Promise<void> {
    this.#isEnded = true;
    const isWritten = await this.#claimed;
    const record = toAuditRecord(this.#act, result);
    const isTold = isWritten === true && (record.status === this.#expected || record.status === CLIENT_GONE);
    if (!isTold) await this.#trail.record(record);
  }
}

/** The request that is being served will be answered so, unless something goes wrong: its audit row may be written before. */
export function expectReply(status: number): void {
  serving.getStore()?.expect(status);
}

/** Of the request that is being served, if nobody else has it: the first who does something for it. */
export function claimAct(): ClaimedAct | undefined {
  return serving.getStore()?.claim();
}
