export { createBuilderModule } from "./builder.module.ts";
