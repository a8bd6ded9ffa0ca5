export { createDemoModule } from "./demo.module.ts";
export { type DemoWorkflow, demoWorkflows } from "./workflows/demo-workflows.ts";
