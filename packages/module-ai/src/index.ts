export { createAiModule } from "./ai.module.ts";
export type { ModelRequest, ModelTool, OnText } from "./model/model-request.ts";
export type { AiService } from "./service.ts";
export type { ModelCaller } from "./usage/record-usage.ts";
export type { Spend, StoreCall } from "./vector-stores/query-store.ts";
export { labelOf, markUntrusted } from "./vector-stores/untrusted-content.ts";
export type { VectorStoreService } from "./vector-stores/vector-store-service.ts";
