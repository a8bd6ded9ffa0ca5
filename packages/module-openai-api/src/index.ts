export { createOpenAiApiModule } from "./openai-api.module.ts";
