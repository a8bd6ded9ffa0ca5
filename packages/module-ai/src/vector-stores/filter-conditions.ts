import type { Json } from "@oven/contract";
import type { VectorFilter } from "@oven/contract/ai";
import type { SqlValues } from "./sql-values.ts";

type FieldFilter = VectorFilter[string];
type Operators = Extract<FieldFilter, { exists?: unknown }>;

const COMPARISONS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** Conditions on `metadata`, to be joined by `and`. Names of fields are bound as values too. */
export function toFilterConditions(filter: VectorFilter, values: SqlValues): string[] {
  return Object.entries(filter).flatMap(([field, wanted]) => {
    const operators: Operators = typeof wanted === "object" && wanted !== null ? wanted : { eq: wanted };
    return toConditions(field, operators, values);
  });
}

function toConditions(field: string, operators: Operators, values: SqlValues): string[] {
  const conditions: string[] = [];
  const equals = (value: Json) => `metadata @> ${values.json({ [field]: value })}`;
  const { eq, ne, in: list, contains, exists } = operators;
  if (eq !== undefined) conditions.push(equals(eq));
  if (ne !== undefined) conditions.push(`not (${equals(ne)})`);
  if (list !== undefined) conditions.push(list.length === 0 ? "false" : `(${list.map(equals).join(" or ")})`);
  if (contains !== undefined) conditions.push(equals([contains]));
  if (exists !== undefined) conditions.push(`${exists ? "" : "not "}metadata ? ${values.add(field)}`);
  for (const [name, sign] of Object.entries(COMPARISONS)) {
    const value = operators[name as keyof typeof COMPARISONS]; // cast: keys of COMPARISONS
    if (value !== undefined) conditions.push(toComparison(field, sign, value, values));
  }
  return conditions;
}

/** Numbers with numbers, texts with texts by code point (ISO dates sort so); anything else does not match. */
function toComparison(field: string, sign: string, value: string | number, values: SqlValues): string {
  const name = values.add(field);
  const bound = values.add(String(value));
  if (typeof value === "number") {
    return `case when jsonb_typeof(metadata -> ${name}) = 'number' then (metadata ->> ${name})::numeric ${sign} ${bound}::text::numeric else false end`;
  }
  return `case when jsonb_typeof(metadata -> ${name}) = 'string' then (metadata ->> ${name}) collate "C" ${sign} ${bound}::text else false end`;
}
