export { createAiModule } from "./ai.module.ts";
export type { ModelRequest, ModelTool, OnText } from "./model/model-request.ts";
export type { AiService } from "./service.ts";
export type { ModelCaller } from "./usage/record-usage.ts";
