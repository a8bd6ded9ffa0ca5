import type { Json } from "@oven/contract";

/** Values of one statement: each is bound, none is ever part of its text. */
export class SqlValues {
  readonly params: unknown[];

  constructor(params: readonly unknown[] = []) {
    this.params = [...params];
  }

  /** The placeholder of a value. */
  add(value: unknown): string {
    return `$${this.params.push(value)}`;
  }

  json(value: Json): string {
    return `${this.add(JSON.stringify(value))}::text::jsonb`;
  }
}
