import { isObject, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { rowSchema, TableSchema } from "@oven/contract/table";
import type { TypeSource } from "@oven/scope";
import { api } from "@oven/ui/api/api-client.ts";
import { useCallback, useEffect, useMemo, useState } from "react";
import { listCalled, toCalled } from "../../inspector/called-outputs.ts";

export type CalledOutput = NonNullable<TypeSource["calledOutput"]>;
export type SampleOf = NonNullable<TypeSource["sampleOf"]>;

/** What the workflows, agents and tools that a definition calls answer, as they are now. Unknown where they cannot be read. */
export function useCalledOutputs(document: JsonObject, nodeTypes: readonly NodeType[] | undefined): CalledOutput {
  const paths = useMemo(() => listCalled(document, nodeTypes ?? []).join("\n"), [document, nodeTypes]);
  const [schemas, setSchemas] = useState<ReadonlyMap<string, JsonObject>>(new Map());
  useEffect(() => {
    if (paths === "") return;
    const gone = new AbortController();
    const read = async (path: string): Promise<[string, JsonObject][]> => {
      const { json } = await api(path, { signal: gone.signal });
      const schema = schemaOf(path, json);
      return schema === undefined ? [] : [[path, schema]];
    };
    // One that is gone, or that the person may not see, has no known type; the check of the definition names it.
    void Promise.allSettled(paths.split("\n").map(read)).then((found) => {
      if (gone.signal.aborted) return;
      setSchemas(new Map(found.flatMap((one) => (one.status === "fulfilled" ? one.value : []))));
    });
    return () => gone.abort();
  }, [paths]);
  return useCallback(
    (called, input) => {
      const found = toCalled(called, input);
      return found === null ? undefined : schemas.get(found.path);
    },
    [schemas],
  );
}

function schemaOf(path: string, json: unknown): JsonObject | undefined {
  if (path.startsWith("tools/")) return structuredOf(json);
  return path.startsWith("tables/") ? rowsOf(json) : outputSchemaOf(json);
}

/** Rows by the columns of a table. */
function rowsOf(row: unknown): JsonObject | undefined {
  const table = TableSchema.safeParse(row).data;
  return table === undefined ? undefined : { type: "array", items: rowSchema(table.columns) };
}

/** The output schema: a workflow has it in its definition, an agent among its settings. */
function outputSchemaOf(row: unknown): JsonObject | undefined {
  const { definition, outputSchema } = isObject(row) ? row : {};
  const schema = isObject(definition) ? definition.outputSchema : outputSchema;
  return isObject(schema) ? schema : undefined;
}

/** What a tool of a connected server, or an operation of an API, declares; it stands in one part of the answer. */
function structuredOf(row: unknown): JsonObject | undefined {
  const { outputSchema } = isObject(row) ? row : {};
  const properties = isObject(outputSchema) ? outputSchema.properties : undefined;
  const structured = isObject(properties) ? (properties.structured ?? properties.body) : undefined;
  return isObject(structured) ? structured : undefined;
}
