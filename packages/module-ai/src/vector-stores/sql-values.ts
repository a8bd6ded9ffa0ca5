/** Values of one statement: each is bound, none is ever part of its text. */
export class SqlValues {
  readonly params: unknown[] = [];

  /** The placeholder of a value. */
  add(value: unknown): string {
    return `$${this.params.push(value)}`;
  }

  json(value: unknown): string {
    return `${this.add(JSON.stringify(value))}::text::jsonb`;
  }
}
