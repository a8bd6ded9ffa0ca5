import type { Json, JsonObject } from "@oven/contract";
import type { ApiOperation } from "@oven/contract/api";
import { effectOf } from "../effect.ts";
import { fitSchema } from "../schema/fit-schema.ts";
import { textOf } from "../schema/keywords.ts";
import { readAnswer } from "./answer.ts";
import { readBody } from "./body.ts";
import { readHints } from "./hints.ts";
import { InputBuilder } from "./input-builder.ts";
import type { DocumentContext, OperationSource } from "./operation-source.ts";
import { type ReadParameters, readParameters } from "./parameters.ts";
import { readServers } from "./servers.ts";
import { readSecurity } from "./sign-ins.ts";

const DESCRIPTION = 4_000;
const TITLE = 200;
const MOST_TAGS = 20;

/** Reads one operation of an OpenAPI document. */
export function readOperation(source: OperationSource, context: DocumentContext): ApiOperation {
  const { name, method, path, pathItem, operation } = source;
  const operationId = idOf(operation);
  const parameters = readParameters(source, context);
  const body = bodyOf(source, parameters, context);
  const input = new InputBuilder();
  for (const each of parameters.list) input.addParameter(each.parameter, each);
  if (typeof body === "object") input.addBody(body);
  const { schema: inputSchema, isCut } = fitSchema(input.toSchema(), context.inputs, context.limits.input);
  const answer = readAnswer(operation, context.root);
  const output = outputOf(answer.schema, context);
  const notes = [
    ...parameters.notes,
    ...(typeof body === "object" ? body.notes : []),
    ...(isCut ? ["The input's schema is larger than OVEN shows: parts of it are left open"] : []),
    ...(output.isCut ? ["The answer's schema is larger than OVEN shows: parts of it are left open"] : []),
    ...readHints(operation),
  ];
  return {
    name,
    operationId,
    title: textOf(operation.summary, TITLE) || operationId?.slice(0, TITLE) || `${method} ${path}`.slice(0, TITLE),
    description: textOf(operation.description, DESCRIPTION) || textOf(pathItem.description, DESCRIPTION),
    tags: (Array.isArray(operation.tags) ? operation.tags : [])
      .filter((tag) => typeof tag === "string")
      .slice(0, MOST_TAGS),
    deprecated: operation.deprecated === true,
    method,
    path,
    serverUrl: serverOf(source, context),
    parameters: input.parameters,
    body: typeof body === "object" ? input.body(body) : null,
    accept: answer.accept,
    inputSchema,
    defaults: input.defaults,
    outputSchema: output.schema,
    ...effectOf(method, parameters.idempotencyHeader),
    signIn: signInOf(operation, parameters, context),
    query: null,
    notes: [...new Set(notes)],
    problem: parameters.problem ?? (typeof body === "string" ? body : pathProblem(path)),
  };
}

/** What the document calls an operation; null: nothing. */
export function idOf({ operationId }: JsonObject): string | null {
  return typeof operationId === "string" && operationId !== "" ? operationId : null;
}

function bodyOf({ method, operation }: OperationSource, parameters: ReadParameters, context: DocumentContext) {
  const body = readBody(operation.requestBody ?? parameters.body, context);
  if (typeof body !== "object" || (method !== "GET" && method !== "HEAD")) return body;
  // What a body of these means is not defined, and HTTP clients do not send it.
  if (body.required) return `The API wants a body, which ${method} cannot have`;
  if (body.properties !== null) parameters.notes.push(`The body is left out: ${method} cannot have one`);
  return undefined;
}

function pathProblem(path: string): string | null {
  if (!path.startsWith("/")) return "The path does not begin with /";
  return /[{}]/.test(path.replace(/\{[^{}]+\}/g, "")) ? "The path has a brace that is not closed" : null;
}

function serverOf({ pathItem, operation }: OperationSource, context: DocumentContext): string | null {
  const [own] = readServers(operation.servers ?? pathItem.servers, context.baseUrl);
  return own?.url ?? null;
}

function signInOf(operation: JsonObject, parameters: ReadParameters, context: DocumentContext): ApiOperation["signIn"] {
  const declared = readSecurity(operation.security) ?? context.signIn;
  if (parameters.signIns.length === 0) return declared;
  const undeclared = parameters.signIns.map((name): [string, string[]] => [name, []]);
  return declared.length === 0
    ? [Object.fromEntries(undeclared)]
    : declared.map((way) => ({ ...way, ...Object.fromEntries(undeclared) }));
}

function outputOf(schema: Json | undefined, context: DocumentContext): { schema: JsonObject | null; isCut: boolean } {
  if (schema === undefined) return { schema: null, isCut: false };
  return fitSchema(context.outputs.convert(schema), context.outputs, context.limits.output);
}
