import { defineModule, type ModuleDefinition, NO_PERSON_DATA } from "@oven/module-registry";
import { completionRoutes } from "./chat/completions.routes.ts";
import { ModelService } from "./models/model-service.ts";
import { modelRoutes } from "./models/models.routes.ts";
import type { OpenAiApi } from "./openai-api.ts";
import { responseRoutes } from "./responses/responses.routes.ts";
import { unknownRoutes } from "./unknown.routes.ts";

/** Agents and workflows behind the API of OpenAI: what talks to that talks to them. */
export function createOpenAiApiModule(): ModuleDefinition {
  let state: OpenAiApi | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-openai-api was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-openai-api",
    namespace: "openai-api",
    description: "Agents and workflows behind the API of OpenAI: models, chat completions and responses.",
    dependencies: ["module-registry", "module-chat"],
    personData: NO_PERSON_DATA,
    routes: [...modelRoutes(ready), ...completionRoutes(ready), ...responseRoutes(ready), ...unknownRoutes()],
    services: async ({ services: { asks } }) => {
      state = { asks, models: new ModelService(asks) };
      return {};
    },
  });
}
