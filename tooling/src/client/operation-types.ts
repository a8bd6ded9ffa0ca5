import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type TypeNames, toComment, toType } from "../../../packages/client/src/types/schema-type.ts";
import type { Json, JsonObject } from "../../../packages/contract/src/index.ts";
import { createOpenApi, type ModuleDefinition } from "../../../packages/module-registry/src/index.ts";

const CONTRACT = join(import.meta.dirname, "../../../packages/contract/src");
const NOTICE = "/* Written by `pnpm client:types` from the routes of the modules; change the route instead. */";
/** JSON refers to itself, which a schema of it does not say in a way that becomes a type. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  Json: "export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };\n",
  JsonObject: "export type JsonObject = { [key: string]: Json };\n",
  JsonSchemaDocument: "export type JsonSchemaDocument = JsonObject;\n",
};
const REFERENCE = "#/components/schemas/";

interface OperationObject {
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: JsonObject }[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, { content?: Record<string, { schema: JsonObject }> }>;
}

/** The schemas of the contract under the names of their types. */
async function namedSchemas(): Promise<Record<string, z.ZodType>> {
  const doors = ["index.ts", ...globSync("{doors,formats}/*.ts", { cwd: CONTRACT })].filter(
    (file) => !file.includes(".test."),
  );
  const named: Record<string, z.ZodType> = {};
  const seen = new Set<z.ZodType>();
  for (const door of doors.sort()) {
    for (const [name, value] of Object.entries(await import(join(CONTRACT, door)))) {
      if (!name.endsWith("Schema") || !(value instanceof z.ZodType) || seen.has(value) || !isDescribable(value))
        continue;
      seen.add(value);
      named[name.slice(0, -"Schema".length)] = value;
    }
  }
  return named;
}

/** A schema with a transformation has no JSON Schema of its own; it is written out where a request takes it. */
function isDescribable(schema: z.ZodType): boolean {
  try {
    z.toJSONSchema(schema, { io: "output" });
    return true;
  } catch {
    return false;
  }
}

/** TypeScript of what each route takes and answers, by method and path. */
export async function toOperationTypes(modules: readonly ModuleDefinition[]): Promise<string> {
  const routes = modules.flatMap((module) => module.routes.map((route) => ({ module, route })));
  const document = createOpenApi(routes, "http://localhost", await namedSchemas());
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonObject>; // cast: OpenAPI 3.1 is JSON
  const used = new Set<string>(Object.keys(JSON_TYPES));
  const names: TypeNames = {
    ofReference: (reference) => {
      const name = toName(reference.slice(REFERENCE.length));
      used.add(name);
      return name;
    },
  };
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => {
      const key = `${method.toUpperCase()} ${path.replace(/^\/api/, "")}`;
      return { key, text: toOperation(key, operation as unknown as OperationObject, names) }; // cast: as above
    }),
  );
  operations.sort((one, other) => (one.key < other.key ? -1 : 1));
  const written = new Map<string, string>();
  const pending = () => [...used].filter((name) => !written.has(name));
  for (let next = pending(); next.length > 0; next = pending())
    for (const name of next) written.set(name, toDeclaration(name, schemas, names));
  const declared = [...written].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return [
    `${NOTICE}\n`,
    "/** What each route takes and answers. Paths are below `/api`. */",
    `export interface Operations {\n${operations.map(({ text }) => text).join("")}}\n`,
    ...declared,
  ].join("\n");
}

function toDeclaration(name: string, schemas: Record<string, JsonObject>, names: TypeNames): string {
  const json = JSON_TYPES[name];
  if (json !== undefined) return json;
  const schema = Object.entries(schemas).find(([key]) => toName(key) === name)?.[1];
  if (schema === undefined) throw new Error(`no schema is named ${name}`);
  const { description: _, ...shape } = schema;
  return `${toComment(schema, "")}export type ${name} = ${toType(shape, names)};\n`;
}

/** `__schema0` → `Schema0`. */
function toName(key: string): string {
  const words = key.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function toOperation(key: string, operation: OperationObject, names: TypeNames): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const fields: string[] = [];
  for (const place of ["path", "query"]) {
    const listed = parameters.filter((parameter) => parameter.in === place);
    if (listed.length === 0) continue;
    const required = listed.filter((parameter) => parameter.required === true).map(({ name }) => name);
    const properties = listed.map(({ name, schema, description: text }): [string, Json] => [
      name,
      { ...schema, ...(text === undefined ? {} : { description: text }) },
    ]);
    const type = toType({ type: "object", properties: Object.fromEntries(properties), required }, names, 4);
    fields.push(`    ${place}${required.length === 0 ? "?" : ""}: ${type};\n`);
  }
  const body = requestBody?.content["application/json"]?.schema;
  if (body !== undefined) {
    const isOptional = Array.isArray(body.required) ? body.required.length === 0 : isAllOptional(body);
    fields.push(`    body${isOptional ? "?" : ""}: ${toType(body, names, 4)};\n`);
  }
  const answer = Object.entries(responses).find(([status]) => !status.startsWith("4"))?.[1].content?.[
    "application/json"
  ]?.schema;
  fields.push(`    answer: ${answer === undefined ? "unknown" : toType(answer, names, 4)};\n`);
  const text = [summary, description].filter((part) => part !== undefined).join("\n\n");
  return `${toComment({ description: text }, "  ")}  ${JSON.stringify(key)}: {\n${fields.join("")}  };\n`;
}

function isAllOptional(body: JsonObject): boolean {
  return body.type === "object" && body.required === undefined;
}
