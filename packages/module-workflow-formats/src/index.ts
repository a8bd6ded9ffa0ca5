export { createWorkflowFormatsModule } from "./formats.module.ts";
