import type { Call } from "./call.ts";
import type { Decision, ReviewOutput } from "./generated/operations.ts";
import type { CallOptions } from "./http.ts";

export type Review = ReviewOutput;

/** What a person is asked to decide. */
export interface ReviewCalls {
  /** Those that are open, the newest first; of one run, where it is named. */
  open(options?: CallOptions & { run?: number }): Promise<Review[]>;
  get(id: number, options?: CallOptions): Promise<Review>;
  /**
   * Decides what was shown: a proposal that has changed since is not decided.
   * @param review as it was got
   */
  decide(
    review: Pick<Review, "id" | "digest">,
    decision: Omit<Decision, "digest">,
    options?: CallOptions,
  ): Promise<Review>;
}

export function createReviewCalls(call: Call): ReviewCalls {
  return {
    open: ({ run, ...options } = {}) => {
      const filter = { status: "open", ...(run === undefined ? {} : { executionId: run }) };
      return call("GET /reviews", { query: { filter: JSON.stringify(filter) }, ...options });
    },
    get: (id, options = {}) => call("GET /reviews/{id}", { path: { id }, ...options }),
    decide: ({ id, digest }, decision, options = {}) =>
      call("POST /reviews/{id}/decide", {
        path: { id },
        body: { ...decision, digest } as Decision, // cast: a decision with its digest
        ...options,
      }),
  };
}
