import type { JsonObject } from "@oven/contract";
import type { ApiOperation } from "@oven/contract/api";
import type { SchemaLibrary } from "../schema/schema-library.ts";

/** What all operations of one document are read with. */
export interface DocumentContext {
  root: JsonObject;
  /** Where relative addresses of servers begin; undefined: nothing is known of it. */
  baseUrl: string | undefined;
  inputs: SchemaLibrary;
  outputs: SchemaLibrary;
  /** Sign-ins by their names in the document. */
  signIns: ReadonlyMap<string, { in: string; name: string } | null>;
  /** Where operations do not say themselves how to sign in. */
  signIn: ApiOperation["signIn"];
  limits: SchemaLimits;
  /** Headers and parameters by which operations sign in without a declared scheme. */
  undeclared: Map<string, { in: "header" | "query"; name: string }>;
}

/** Characters of a schema of one operation. */
export interface SchemaLimits {
  input: number;
  output: number;
}

/** An operation as it stands in its document. */
export interface OperationSource {
  /** Unique in the document. */
  name: string;
  method: ApiOperation["method"];
  path: string;
  pathItem: JsonObject;
  operation: JsonObject;
}
