export interface Statement {
  sql: string;
  params: unknown[];
  /** The same for every commit of the same shape, so that the plan is prepared once. */
  name: string;
}

/** A `text` column cannot hold NUL; a commit that fails for it would fail for ever. Exact data goes into `json` columns. */
export function storable(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}

/** Collects parts of one WITH statement and their parameters. */
export class StatementBuilder {
  readonly params: unknown[] = [];
  readonly parts: string[] = [];

  /** A placeholder for `value`. */
  bind(value: unknown, type: string): string {
    this.params.push(type === "text" && typeof value === "string" ? storable(value) : value);
    return `$${this.params.length}::${type}`;
  }

  add(name: string, sql: string): void {
    this.parts.push(`${name} as (${sql})`);
  }

  /** All parts as one statement. It answers a row when the part `u` did. @param what begins its name */
  build(what: string): Statement {
    const sql = `with ${this.parts.join(", ")} select id from u`;
    return { sql, params: this.params, name: `${what}-${hash(sql)}` };
  }
}

/** As JSON text; nothing is SQL's null. */
export function orNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** FNV-1a: short and the same everywhere; only names prepared statements. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(36) + text.length.toString(36);
}
