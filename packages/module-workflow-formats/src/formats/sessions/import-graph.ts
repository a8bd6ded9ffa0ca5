import type { Json } from "@oven/contract";
import { type SessionGraphSpec, SessionGraphSpecSchema } from "@oven/contract/formats/sessions.ts";
import { isObject } from "@oven/engine";
import { importSource } from "../../shared/import-source.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { fromNeo4jExport, joinLines } from "./neo4j-graph.ts";

/** A graph from its document as text, or from an export of Neo4j. @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID */
export function importGraph<T>(source: string, take: (spec: SessionGraphSpec) => Promise<T>): Promise<T> {
  return importSource(joinLines(source), SessionGraphSpecSchema, take, (value) =>
    withoutPrototypes(fromNeo4jExport(value)),
  );
}

/** The schema would leave such a step out without a word. */
function withoutPrototypes(value: Json): Json {
  if (isObject(value) && isObject(value.steps) && Object.hasOwn(value.steps, "__proto__"))
    refuseProblems([
      { path: "$.steps.__proto__", message: "A step cannot have this name", fix: "Give it another name." },
    ]);
  return value;
}
