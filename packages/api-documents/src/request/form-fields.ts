import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { ApiField } from "@oven/contract/api";

const SEPARATORS = { spaceDelimited: " ", pipeDelimited: "|", form: "," } as const;

/** The fields of a form in order: a list is its field several times and an object JSON, unless its document says otherwise. */
export function toFormFields(value: JsonObject, fields: Readonly<Record<string, ApiField>>): [string, string][] {
  return Object.entries(value).flatMap(([name, each]) => toTexts(name, each, getOwn(fields, name)));
}

/** As `toFormFields`, where files stay the objects that they are. */
export function toMultipartFields(
  value: JsonObject,
  fields: Readonly<Record<string, ApiField>>,
): [string, string | JsonObject][] {
  return Object.entries(value).flatMap(([name, each]): [string, string | JsonObject][] => {
    if (isFile(each)) return [[name, each]];
    if (Array.isArray(each) && each.length > 0 && each.every(isFile)) return each.map((file) => [name, file]);
    return toTexts(name, each, getOwn(fields, name));
  });
}

function isFile(value: Json): value is JsonObject {
  return isObject(value) && (isObject(value.blob) || value.$blob !== undefined);
}

function toTexts(name: string, value: Json, field: ApiField | undefined): [string, string][] {
  if (value === null) return [];
  if (typeof value !== "object") return [[name, String(value)]];
  const style = field?.style ?? (Array.isArray(value) ? "form" : "json");
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (style === "deepObject") return deepFields(name, value);
  if (Array.isArray(value)) {
    const texts = value.filter((each) => each !== null).map(textOf);
    return field?.explode === false ? [[name, texts.join(SEPARATORS[style])]] : texts.map((text) => [name, text]);
  }
  const pairs = Object.entries(value).filter(([, each]) => each !== null);
  if (field?.explode === false)
    return [[name, pairs.flatMap(([inner, each]) => [inner, textOf(each)]).join(SEPARATORS[style])]];
  return pairs.map(([inner, each]) => [inner, textOf(each)]);
}

function deepFields(name: string, value: Json): [string, string][] {
  if (value === null) return [];
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => deepFields(`${name}[${key}]`, each));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
}
