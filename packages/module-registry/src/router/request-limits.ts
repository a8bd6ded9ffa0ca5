import type { Principal } from "@oven/contract";

/** How much one caller may ask for. */
export interface RequestLimits {
  /**
   * Wrong credentials came from there. Right ones from the same address still pass: many may share it.
   * @throws OvenError TOO_MANY_ATTEMPTS 429 instead of one more 401
   */
  refused(address: string | undefined): Promise<void>;
  /**
   * Counts one request of an unknown sender to a public route.
   * @param door the limit that all senders share, because addresses behind a proxy look the same
   * @throws OvenError TOO_MANY_REQUESTS 429
   */
  admitStranger(address: string | undefined, door: string): Promise<void>;
  /**
   * Counts one request of a known caller.
   * @throws OvenError TOO_MANY_REQUESTS 429
   */
  admit(principal: Principal): Promise<void>;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    /** Filled by the module that knows users and keys; without one nothing is limited. */
    requestLimits?: RequestLimits;
  }
}
