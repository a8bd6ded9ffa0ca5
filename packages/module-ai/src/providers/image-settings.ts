import { OvenError } from "@oven/contract";
import type { ImageSettings } from "./model-provider.ts";

/** Settings that a provider does not take, each with what to do instead. */
type Unsupported = Partial<Record<keyof ImageSettings, string>>;

/**
 * Leaving a setting out silently would make another picture than was asked for, and charge for it.
 * @throws OvenError IMAGE_OPTION_UNSUPPORTED
 */
export function refuseSettings(provider: string, settings: ImageSettings, unsupported: Unsupported): void {
  for (const [name, fix] of Object.entries(unsupported)) {
    if (settings[name as keyof ImageSettings] === undefined) continue; // cast: the keys are those of the settings
    throw new OvenError("IMAGE_OPTION_UNSUPPORTED", `${provider} does not take \`${name}\` for images`, {
      status: 422,
      fix,
    });
  }
}

export const IN_PROMPT = "Say it in the prompt, or leave the setting out";
