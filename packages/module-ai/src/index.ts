export { createAiModule } from "./ai.module.ts";
export type { ImageAnswer, ImageRequest } from "./images/image-request.ts";
export type { ModelRequest, ModelTool, OnText, Recording, TextSink } from "./model/model-request.ts";
export type { ObjectRequest } from "./model/object-call.ts";
export { findMismatch, outputMismatch, toCorrection } from "./model/output-check.ts";
export type { AiService } from "./service.ts";
export type { ModelCaller } from "./usage/record-usage.ts";
