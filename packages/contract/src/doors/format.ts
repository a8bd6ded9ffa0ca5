/** What all formats beside OVEN's own definitions have; the shapes of each one are in `formats/`. */
export {
  type CompiledFormat,
  CompiledFormatSchema,
  type DefinitionSource,
  FormatSourceSchema,
  type FormatWorkflow,
  FormatWorkflowSchema,
  sourceOf,
  type WorkflowFormat,
  WorkflowFormatSchema,
  WorkflowIdSchema,
  withoutSource,
} from "../workflow-format.ts";
