import { type Json, OvenError } from "@oven/contract";
import { type ColumnFilter, parseValue, type TableFilter, type ValueColumn, ValueProblem } from "@oven/contract/table";
import { keyKindsOf, type StoredColumn, type StoredTable } from "../definitions/stored-column.ts";
import { keyOf } from "./row-keys.ts";
import type { SqlValues } from "./sql-values.ts";

type Operators = Extract<ColumnFilter, { exists?: unknown }>;

/** What a condition compares: a column's value, or a field that every row has. */
interface Operand {
  name: string;
  /** SQL of the value; SQL null where it is empty. */
  sql: string;
  /** SQL of a value to compare it with. */
  bind(value: Json): string;
  /** Condition that a text is like a pattern; absent: it is no text. */
  like?(pattern: string): string;
  /** SQL that finds rows by a value without reading the table; absent: nothing does. */
  found?(values: readonly Json[]): string;
}

const COMPARISONS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/**
 * Conditions on rows `r` of a table, to be joined by `and`.
 * @param path of the filter, for errors
 * @throws OvenError TABLE_FILTER_INVALID naming the column
 */
export function toConditions(table: StoredTable, filter: TableFilter, values: SqlValues, path = "$.where"): string[] {
  return Object.entries(filter).flatMap(([name, wanted]) => {
    const operators: Operators = typeof wanted === "object" && wanted !== null ? wanted : { eq: wanted };
    try {
      return conditionsOf(toOperand(table, name, values), operators);
    } catch (error) {
      if (error instanceof ValueProblem) throw filterInvalid(table, `${path}.${name}`, `\`${name}\` ${error.message}`);
      throw error;
    }
  });
}

/** What rows are sorted by. @throws OvenError TABLE_FILTER_INVALID */
export function toOrder(table: StoredTable, field: string, order: "ASC" | "DESC"): string {
  const direction = order === "ASC" ? "asc nulls last" : "desc nulls last";
  const own = Object.hasOwn(SYSTEM_SQL, field) ? SYSTEM_SQL[field] : undefined;
  if (own !== undefined) return field === "id" ? `r.id ${order}` : `${own} ${direction}, r.id ${order}`;
  const column = findColumn(table, field, "$.sort");
  return `r.cells -> '${column.key}' ${direction}, r.id ${order}`;
}

/** Rows in whose texts a word stands, in any case. */
export function toSearch({ columns }: StoredTable, word: string, values: SqlValues): string {
  const pattern = values.add(`%${escapeLike(word)}%`);
  const texts = columns.filter(({ type }) => type !== "json" && type !== "boolean");
  if (texts.length === 0) return "false";
  return `(${texts.map(({ key }) => `r.cells ->> '${key}' ilike ${pattern}`).join(" or ")})`;
}

const SYSTEM_SQL: Readonly<Record<string, string>> = {
  id: "r.id",
  createdAt: "r.created_at",
  updatedAt: "r.updated_at",
};

function toOperand(table: StoredTable, name: string, values: SqlValues): Operand {
  const system = Object.hasOwn(SYSTEM_SQL, name) ? SYSTEM_SQL[name] : undefined;
  if (system !== undefined) {
    const bind =
      name === "id"
        ? (value: Json) => `${values.add(toId(value))}::bigint`
        : (value: Json) => `${values.add(parsed({ type: "datetime" }, value))}::timestamptz`;
    return { name, sql: system, bind };
  }
  const column = findColumn(table, name, `$.where.${name}`);
  const kind = keyKindsOf(table).find(({ columns }) => columns.length === 1 && columns[0] === column.key);
  const found = (list: readonly Json[]) => {
    const keys = values.add(list.map((value) => keyOf([parsed(column, value)])));
    const isUnique = kind?.isUnique === true ? "k.is_unique" : "not k.is_unique";
    return `r.id in (select k.row_id from user_table_keys k where k.table_id = ${values.add(table.id)}::bigint and k.kind = '${column.key}' and k.key = any(${keys}::text[]) and ${isUnique})`;
  };
  return {
    name,
    sql: `r.cells -> '${column.key}'`,
    bind: (value) => values.json(parsed(column, value)),
    ...(column.type === "text" || column.type === "choice"
      ? { like: (pattern: string) => `r.cells ->> '${column.key}' ilike ${values.add(pattern)}` }
      : {}),
    ...(kind === undefined ? {} : { found }),
  };
}

function conditionsOf(operand: Operand, operators: Operators): string[] {
  const { sql, bind } = operand;
  const { eq, ne, in: list, exists, contains, startsWith } = operators;
  const conditions: string[] = [];
  if (eq !== undefined) conditions.push(oneOf(operand, [eq]));
  if (ne !== undefined) conditions.push(ne === null ? `${sql} is not null` : `${sql} is distinct from ${bind(ne)}`);
  if (list !== undefined) conditions.push(oneOf(operand, list));
  if (exists !== undefined) conditions.push(`${sql} is ${exists ? "not null" : "null"}`);
  for (const [name, sign] of Object.entries(COMPARISONS)) {
    const value = operators[name as keyof typeof COMPARISONS]; // cast: keys of COMPARISONS
    if (value !== undefined) conditions.push(`${sql} ${sign} ${bind(value)}`);
  }
  if (contains !== undefined) conditions.push(likeOf(operand)(`%${escapeLike(contains)}%`));
  if (startsWith !== undefined) conditions.push(likeOf(operand)(`${escapeLike(startsWith)}%`));
  return conditions;
}

/** @throws ValueProblem */
function likeOf({ like }: Operand): (pattern: string) => string {
  if (like === undefined) throw new ValueProblem("is no text");
  return like;
}

function oneOf({ sql, bind, found }: Operand, list: readonly Json[]): string {
  const given = list.filter((value) => value !== null);
  const isEmpty = given.length < list.length ? [`${sql} is null`] : [];
  if (given.length === 0) return isEmpty[0] ?? "false";
  if (found !== undefined) return either([found(given), ...isEmpty]);
  const [only] = given;
  if (given.length === 1 && only !== undefined) return either([`${sql} = ${bind(only)}`, ...isEmpty]);
  return either([`${sql} in (${given.map(bind).join(", ")})`, ...isEmpty]);
}

function either(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? "false") : `(${conditions.join(" or ")})`;
}

/** @throws ValueProblem */
function parsed(column: ValueColumn, value: Json): Json {
  // A filter may ask for a choice that there is no more.
  const type = column.type === "choice" ? "text" : column.type;
  const result = parseValue({ ...column, type }, value);
  if (result === undefined) throw new ValueProblem("needs a value to be compared with");
  return result;
}

/** @throws ValueProblem */
function toId(value: Json): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new ValueProblem("must be a whole number");
}

function findColumn(table: StoredTable, name: string, path: string): StoredColumn {
  const column = table.columns.find((one) => one.name === name);
  if (column !== undefined) return column;
  throw filterInvalid(table, path, `${table.slug} has no column \`${name}\``);
}

function filterInvalid({ columns }: StoredTable, path: string, message: string): OvenError {
  const known = ["id", "createdAt", "updatedAt", ...columns.map(({ name }) => name)];
  return new OvenError("TABLE_FILTER_INVALID", message, {
    status: 422,
    path,
    fix: `Columns: ${known.join(", ")}.`,
  });
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
