import { isObject, type Json, type JsonObject } from "@oven/contract";
import type { ApiDocument, ApiOperation, ApiSignIn } from "@oven/contract/api";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { unreadable } from "../parse/unreadable.ts";
import { objectAt } from "../references.ts";
import { InPlaceReferences } from "../schema/in-place.ts";
import { textOf } from "../schema/keywords.ts";
import { SchemaLibrary } from "../schema/schema-library.ts";
import { nameOperation } from "./names.ts";
import { idOf, readOperation } from "./operation.ts";
import type { DocumentContext, OperationSource, SchemaLimits } from "./operation-source.ts";
import { readServers } from "./servers.ts";
import { readSecurity, readSignIns } from "./sign-ins.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const OTHER_METHODS = ["trace", "query"];
/** What a document may bring to all of its operations together; characters of their schemas. */
const LARGEST = 48_000_000;
/** The largest that fit are used, so that a document is not more than `LARGEST`. */
const LIMITS: readonly SchemaLimits[] = [
  { input: 32_000, output: 64_000 },
  { input: 32_000, output: 16_000 },
  { input: 16_000, output: 4_000 },
  { input: 8_000, output: 1_000 },
  { input: 2_000, output: 100 },
];

/**
 * Reads a document of OpenAPI 3 or Swagger 2.
 * @param baseUrl where it was found
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function readOpenApi(given: JsonObject, baseUrl: string | undefined): ApiDocument {
  const formatVersion = String(given.openapi ?? given.swagger);
  const root = given.swagger === undefined ? given : fromSwagger(given);
  if (!isObject(root.paths) && !isObject(root.webhooks) && !isObject(root.components))
    throw unreadable("It describes no operations: `paths` is missing", "Give the document of the API itself.");
  const info = isObject(root.info) ? root.info : {};
  const notes = new Set<string>();
  const { operations, signIns } = readOperations(root, formatVersion, baseUrl, notes);
  const placed = placeOperations(operations, serversOf(root, baseUrl, notes));
  return {
    kind: "openapi",
    formatVersion,
    title: textOf(info.title, 200),
    version: textOf(typeof info.version === "number" ? String(info.version) : info.version, 100),
    description: textOf(info.description, 4_000),
    servers: placed.servers,
    signIns,
    operations: placed.operations,
    notes: [...notes],
  };
}

/** An operation that names the server of all has none of its own. Where the document names none, the one that all operations name is it. */
function placeOperations(
  operations: readonly ApiOperation[],
  declared: ApiDocument["servers"],
): Pick<ApiDocument, "operations" | "servers"> {
  const named = new Set(operations.map(({ serverUrl }) => serverUrl));
  const [common = null] = declared.length === 0 && named.size === 1 ? named : [];
  const servers = common === null ? declared : [{ url: common, description: "" }];
  const url = servers[0]?.url;
  return {
    servers,
    operations: operations.map((one) => (one.serverUrl === url ? { ...one, serverUrl: null } : one)),
  };
}

function fromSwagger(given: JsonObject): JsonObject {
  if (!/^2(?:\.0)?$/.test(String(given.swagger)))
    throw unreadable(
      `Swagger ${String(given.swagger).slice(0, 20)} is not known`,
      "Convert the document to OpenAPI 3.",
    );
  try {
    // cast: what comes from JSON stays JSON
    return upgradeFromTwoToThree({ ...given, swagger: "2.0" }) as JsonObject;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unreadable(
      `It cannot be read as Swagger 2.0: ${reason}`,
      "Correct the document, or convert it to OpenAPI 3.",
      error,
    );
  }
}

function serversOf(root: JsonObject, baseUrl: string | undefined, notes: Set<string>): ApiDocument["servers"] {
  const servers = readServers(root.servers, baseUrl);
  if (servers.length > 0) return servers;
  if (Array.isArray(root.servers) && root.servers.length > 0)
    notes.add("The document names no absolute address of a server: the administrator says where the API is");
  const base = root.servers === undefined && baseUrl !== undefined ? URL.parse(baseUrl) : null;
  return base === null ? [] : [{ url: base.origin, description: "" }];
}

function readOperations(root: JsonObject, formatVersion: string, baseUrl: string | undefined, notes: Set<string>) {
  const signIns = readSignIns(root, baseUrl);
  const sources = operationsOf(root, notes);
  // Schemas that one pass has converted are there for the next.
  const shared = contextOf(root, formatVersion, baseUrl, { signIns, notes });
  for (const limits of LIMITS) {
    const context: DocumentContext = { ...shared, limits, undeclared: new Map() };
    if (isTooMuch(sources, { ...shared, limits, undeclared: new Map() })) continue;
    const operations: ApiOperation[] = [];
    let size = 0;
    for (const source of sources) {
      const operation = readOperation(source, context);
      operations.push(operation);
      size += JSON.stringify(operation).length;
      if (size > LARGEST) break;
    }
    if (size > LARGEST) continue;
    if (limits !== LIMITS[0])
      notes.add("The API has so many operations that schemas of inputs and answers are shortened");
    return { operations, signIns: [...signIns, ...undeclaredOf(context)] };
  }
  throw unreadable("It has more operations than OVEN takes", "Give a document of the part of the API that you need.");
}

const SAMPLE = 200;

/** By a sample of the operations, because to read thousands of them for nothing takes seconds. */
function isTooMuch(sources: readonly OperationSource[], context: DocumentContext): boolean {
  if (sources.length < SAMPLE * 5) return false;
  const step = sources.length / SAMPLE;
  let size = 0;
  for (let at = 0; at < SAMPLE; at++) {
    const source = sources[Math.floor(at * step)];
    if (source !== undefined) size += JSON.stringify(readOperation(source, context)).length;
  }
  return size * step > LARGEST * 0.9;
}

function undeclaredOf({ undeclared }: DocumentContext): ApiSignIn[] {
  return [...undeclared].map(([name, { in: place, name: parameter }]) => ({
    name,
    description: "Found among the parameters of operations",
    how: { type: "api-key", in: place, name: parameter },
  }));
}

function contextOf(
  root: JsonObject,
  formatVersion: string,
  baseUrl: string | undefined,
  { signIns, notes }: { signIns: readonly ApiSignIn[]; notes: Set<string> },
): Omit<DocumentContext, "limits" | "undeclared"> {
  const note = (text: string): void => void notes.add(text);
  const shared = { isOld: /^(?:2|3(?:\.0|$))/.test(formatVersion), inPlace: new InPlaceReferences(root), note };
  return {
    root,
    baseUrl,
    inputs: new SchemaLibrary(root, { ...shared, direction: "input" }),
    outputs: new SchemaLibrary(root, { ...shared, direction: "output" }),
    signIns: new Map(signIns.map(({ name, how }) => [name, how.type === "api-key" ? how : null])),
    signIn: readSecurity(root.security) ?? [],
  };
}

function operationsOf(root: JsonObject, notes: Set<string>): OperationSource[] {
  const found: UnnamedSource[] = [];
  for (const [path, item] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    if (path.startsWith("x-")) continue;
    const pathItem = objectAt(root, item);
    if (pathItem === undefined) notes.add("Paths that are described in another document are left out");
    else found.push(...operationsAt(path, pathItem, notes));
  }
  return withNames(found);
}

type UnnamedSource = Omit<OperationSource, "name">;

/** Those that their document names first, so that none that is called by its path takes the name of one. */
function withNames(sources: readonly UnnamedSource[]): OperationSource[] {
  const taken = new Set<string>();
  const names = new Map<UnnamedSource, string>();
  const isNamed = ({ operation }: UnnamedSource): boolean => idOf(operation) !== null;
  for (const source of [...sources.filter(isNamed), ...sources.filter((each) => !isNamed(each))])
    names.set(source, nameOperation(idOf(source.operation), `${source.method} ${source.path}`, taken));
  return sources.map((source) => ({ ...source, name: names.get(source) ?? "" }));
}

function operationsAt(path: string, pathItem: JsonObject, notes: Set<string>): UnnamedSource[] {
  const others = OTHER_METHODS.filter((method) => isObject(pathItem[method]));
  if (others.length > 0) notes.add(`Operations with the methods ${others.join(", ").toUpperCase()} are left out`);
  return METHODS.flatMap((method) => {
    const operation: Json | undefined = pathItem[method.toLowerCase()];
    return isObject(operation) ? [{ method, path, pathItem, operation }] : [];
  });
}
