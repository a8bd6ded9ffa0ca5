/** What one run of code may use. */
export interface CodeLimits {
  /** Milliseconds that the code may compute. */
  timeMs: number;
  /** MiB of the values that the code holds. */
  memoryMb: number;
}

/** Where a request names no limits. */
export const DEFAULT_LIMITS: CodeLimits = { timeMs: 5_000, memoryMb: 64 };
/** No request can ask for more. */
export const MAX_LIMITS: CodeLimits = { timeMs: 60_000, memoryMb: 512 };

/** Bytes of the inputs, and of the result, as JSON. */
export const MAX_DATA_BYTES = 5 * 1_048_576;
/** Bytes of a code text. */
export const MAX_CODE_BYTES = 262_144;
/** Bytes and lines that the code may print. */
export const MAX_LOG_BYTES = 102_400;
export const MAX_LOG_LINES = 1_000;
/** Bytes of the interpreter's state while a program waits for its calls. */
export const MAX_SESSION_BYTES = 1_048_576;
/** Calls at which a program may wait at a time. */
export const MAX_CALLS_AT_ONCE = 100;
