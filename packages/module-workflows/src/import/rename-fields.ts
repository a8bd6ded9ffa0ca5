import type { Json } from "@oven/contract";
import { getOwn } from "@oven/engine";
import type { FieldRename } from "./dialect.ts";

type Renames = ReadonlyMap<string, Record<string, FieldRename>>;

const FIELD = /^\$\.([A-Za-z_][\w-]*?)(_output)?\.([A-Za-z_]\w*)/;

/** `$.X.field` and `$.X_output.field` under the name that the field has here. */
export function renameField(path: string, renames: Renames): string {
  return path.replace(FIELD, (whole, id: string, output: string | undefined, field: string) => {
    const rename = getOwn(renames.get(id) ?? {}, field);
    if (rename === undefined) return whole;
    return rename.to === "" ? `$.${id}_output` : `$.${id}${output ?? ""}.${rename.to}`;
  });
}

/** What a field answered elsewhere, in the words or the type it has here. `path` still names the field as it was. */
export function renameValue(path: string, value: Json, renames: Renames): Json {
  const [, id = "", , field = ""] = FIELD.exec(path) ?? [];
  const values = getOwn(renames.get(id) ?? {}, field)?.values ?? {};
  return typeof value === "string" ? (getOwn(values, value) ?? value) : value;
}
