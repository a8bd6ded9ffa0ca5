import { OvenError } from "@oven/contract";
import type { SimulatedScript } from "@oven/contract/ai";
import type { LanguageModelV4, Provider } from "../providers/model-provider.ts";
import { type CompiledScript, compileScript } from "./compile-script.ts";
import { createSimulatedImageModel } from "./simulated-image.ts";
import { createSimulatedModel, SIMULATED_PROVIDER } from "./simulated-model.ts";

export const ECHO_MODEL = "echo";
const IMAGE_MODEL = "image";

export interface SimulatedProvider extends Provider {
  languageModel(modelId: string): LanguageModelV4;
  /** @throws OvenError SIMULATED_SCRIPT_INVALID, SIMULATED_SCRIPT_DUPLICATE */
  registerScript(script: SimulatedScript): void;
}

/** `simulated:echo` and every script that modules register. */
export function createSimulatedProvider(): SimulatedProvider {
  const scripts = new Map<string, CompiledScript>();
  const known = () => [ECHO_MODEL, ...scripts.keys()];
  return {
    id: SIMULATED_PROVIDER,
    title: "Simulated (follows a script, no model behind it)",
    kind: "simulated",
    configured: true,
    simulated: true,
    requestOptions: {},
    listModels: async () => known(),
    probe: async () => known(),
    keyHint: "It needs no key",
    imageModel: (modelId) => {
      if (modelId !== IMAGE_MODEL) throw unknownModel(modelId, [IMAGE_MODEL]);
      return createSimulatedImageModel();
    },
    languageModel(modelId) {
      const script = scripts.get(modelId);
      if (script === undefined && modelId !== ECHO_MODEL) throw unknownModel(modelId, known());
      return createSimulatedModel(modelId, script);
    },
    registerScript(script) {
      if ([...known(), IMAGE_MODEL].includes(script.name)) {
        throw new OvenError(
          "SIMULATED_SCRIPT_DUPLICATE",
          `A simulated script named ${script.name} is already registered`,
          {
            status: 500,
            fix: "Give the script another name",
          },
        );
      }
      scripts.set(script.name, compileScript(script));
    },
  };
}

function unknownModel(modelId: string, known: readonly string[]): OvenError {
  const names = known.map((id) => `${SIMULATED_PROVIDER}:${id}`);
  return new OvenError("MODEL_UNKNOWN", `There is no simulated model \`${modelId}\``, {
    status: 422,
    fix: `Use one of: ${names.join(", ")}`,
  });
}
