import { isOvenError, OvenError } from "@oven/contract";
import { suggest } from "@oven/engine";
import type { AiService } from "@oven/module-ai";

/**
 * The name to ask a model by: an alias and `provider:model` as they are; a bare name such as `gpt-4o` is that of the first
 * provider that is set up and lists it.
 * @throws OvenError MODEL_UNKNOWN with the nearest names, MODEL_PROVIDER_NOT_CONFIGURED
 */
export async function resolveModel(ai: AiService, name: string, tenantId: number): Promise<string> {
  try {
    await ai.resolve(name, tenantId);
    return name;
  } catch (error) {
    if (!isOvenError(error) || error.code !== "MODEL_UNKNOWN" || name.includes(":")) throw error;
    const listed = await ai.listModels(tenantId);
    const found = listed.find((full) => full.slice(full.indexOf(":") + 1) === name);
    if (found !== undefined) return found;
    throw new OvenError("MODEL_UNKNOWN", `There is no model ${JSON.stringify(name)}`, {
      status: 422,
      fix: suggest(
        name,
        listed.map((full) => full.slice(full.indexOf(":") + 1)),
        error.fix ?? "Name an alias such as fast, or provider:model.",
      ),
      cause: error,
    });
  }
}
