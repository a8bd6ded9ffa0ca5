import { describe, expect, it } from "vitest";
import type { Provider } from "../providers/model-provider.ts";
import { automaticImage } from "./automatic-image.ts";

function provider(kind: Provider["kind"], listed: string[], more: Partial<Provider> = {}): Provider {
  const imageModel = () => {
    throw new Error("no image is made here");
  };
  const rest = { id: kind, title: kind, configured: true, simulated: false, keyHint: "", requestOptions: {} };
  const listModels = async () => listed;
  return { ...rest, kind, imageModel, listModels, probe: listModels, ...more };
}

describe("the alias `image`", () => {
  it("takes the best model that a provider lists", async () => {
    expect(await automaticImage([provider("openai", ["gpt-5", "dall-e-3", "gpt-image-1"])])).toBe("openai:gpt-image-1");
    expect(await automaticImage([provider("openai-compatible", ["llama", "sdxl-turbo"])])).toBe(
      "openai-compatible:sdxl-turbo",
    );
  });

  it("passes over those that make none, are not set up, or only pretend", async () => {
    const providers = [
      provider("openai-compatible", ["llama"]),
      provider("openai", ["gpt-image-1"], { configured: false }),
      provider("simulated", ["image"], { simulated: true }),
      provider("replicate", []),
    ];
    expect(await automaticImage(providers)).toBe("replicate:stability-ai/sdxl");
  });

  it("is a labelled picture where there is none", async () => {
    expect(await automaticImage([provider("openai-compatible", ["llama"])])).toBe("simulated:image");
  });
});
