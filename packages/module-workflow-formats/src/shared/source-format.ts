import type { JsonObject, Principal } from "@oven/contract";
import type { CompiledFormat, FormatWorkflow } from "@oven/contract/format";

/** A format as the shared routes see it: documents of one's own, each with the agent workflow that it compiles to. */
export interface SourceFormat {
  /** As in the `meta.source.format` of what it compiles to. */
  format: string;
  title: string;
  /** Its permissions are `<resource>.read` and so on. */
  resource: string;
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
