import type { JsonObject, Principal } from "@oven/contract";
import type { CompiledFormat, FormatWorkflow } from "@oven/contract/format";
import type { Database } from "@oven/db";
import type { PgTable } from "@oven/db/pg-core";
import type {
  ConfigKey,
  NodeDefinition,
  Permission,
  PersonData,
  Route,
  ServiceMap,
  ToolDefinition,
} from "@oven/module-registry";
import type { z } from "zod";

/** A format's documents as the shared routes see them: one's own, each with the agent workflow that it compiles to. */
export interface FormatDocuments {
  list(principal: Principal): Promise<Omit<FormatWorkflow, "format">[]>;
  /** @throws OvenError NOT_FOUND */
  get(principal: Principal, id: string): Promise<Omit<FormatWorkflow, "format">>;
  /** The document. @throws OvenError NOT_FOUND */
  export(principal: Principal, id: string): Promise<JsonObject>;
  /** A document as text. @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID */
  import(principal: Principal, source: string): Promise<Omit<FormatWorkflow, "format">>;
  /** As `import`, and nothing is stored. */
  compile(principal: Principal, source: string): Promise<CompiledFormat>;
}

interface Declared {
  /** As in the `meta.source.format` of what it compiles to. */
  id: string;
  title: string;
  /** Its permissions are `<resource>.read` and so on. */
  resource: string;
  permissions: Permission[];
  /** The tables of its `schema.ts`. */
  tables: Record<string, PgTable>;
  configKeys?: ConfigKey[];
  /** What its tables hold of persons. */
  personData: PersonData;
  /** Its events, as modules declare them. */
  emits?: Record<string, z.ZodObject>;
  /**
   * Lets go of an agent workflow that was deleted.
   * @param db without row-level security
   */
  forget(db: Database, agentWorkflowId: number): Promise<void>;
}

/** A workflow format, as `index.ts` of its folder declares it. `P` is what its routes, nodes and tools ask, at each call. */
export interface FormatDefinition<P> extends Declared {
  /** Called once, when the runtime starts. */
  create(db: Database, services: ServiceMap): P;
  routes(parts: () => P): Route[];
  nodes?(parts: () => P): NodeDefinition[];
  tools?(parts: () => P): ToolDefinition[];
  documents(parts: P): FormatDocuments;
  /** Starts background work; only in processes that work on runs. */
  start?(parts: P): void;
  stop?(parts: P): Promise<void>;
}

/** A format in one runtime. */
export interface WorkflowFormat extends Required<Declared> {
  routes: Route[];
  nodes: NodeDefinition[];
  tools: ToolDefinition[];
  /** Before anything of it is called. */
  open(db: Database, services: ServiceMap): void;
  documents(): FormatDocuments;
  start(): void;
  stop(): Promise<void>;
}

/** Declares a workflow format. Each call of what it returns gives one for another runtime. */
export function defineFormat<P>(definition: FormatDefinition<P>): () => WorkflowFormat {
  return () => {
    let opened: { parts: P } | undefined;
    const parts = (): P => {
      if (opened === undefined) throw new Error(`the format ${definition.id} was not started by a runtime`);
      return opened.parts;
    };
    return {
      ...{ configKeys: [], emits: {} },
      ...definition,
      routes: definition.routes(parts),
      nodes: definition.nodes?.(parts) ?? [],
      tools: definition.tools?.(parts) ?? [],
      open: (db, services) => {
        opened = { parts: definition.create(db, services) };
      },
      documents: () => definition.documents(parts()),
      start: () => definition.start?.(parts()),
      stop: async () => definition.stop?.(parts()),
    };
  };
}
