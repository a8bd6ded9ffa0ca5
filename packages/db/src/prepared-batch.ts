/** One execution of a statement that is prepared once per connection under its name. */
export interface PreparedCall {
  name: string;
  sql: string;
  params: readonly unknown[];
}

/** A batch was rolled back as a whole because of one of its statements. */
export class BatchError extends Error {
  /** Position of the statement that failed. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super(`statement ${index} of a batch failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "BatchError";
    this.index = index;
  }
}

/** What one message of the server's answer means to a batch. */
export class BatchReply {
  readonly answered: boolean[] = [];
  #rows = 0;

  onRow(): void {
    this.#rows++;
  }

  onComplete(): void {
    this.answered.push(this.#rows > 0);
    this.#rows = 0;
  }

  /** The statements before the failed one had all completed. */
  failure(cause: unknown): BatchError {
    return new BatchError(this.answered.length, cause);
  }
}

/** A parameter as text, which every type of PostgreSQL takes; null stays null. */
export function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(toElement).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

function toElement(value: unknown): string {
  const text = toParameter(value);
  return text === null ? "NULL" : `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
