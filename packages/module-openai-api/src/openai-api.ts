import type { AsksFace } from "@oven/module-chat";
import type { ModelService } from "./models/model-service.ts";

/** What the routes of this API work with. */
export interface OpenAiApi {
  asks: AsksFace;
  models: ModelService;
}
