export { createEvalsModule } from "./evals.module.ts";
