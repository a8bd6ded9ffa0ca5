import type { JsonObject } from "@oven/contract";
import type { ModelProvider } from "@oven/contract/ai";
import type { SchemaProfile } from "@oven/engine";
import type { EmbeddingModel, experimental_generateVideo, ImageModel, LanguageModel } from "ai";

/** The AI SDK's model interfaces that this release of it calls. */
export type LanguageModelV4 = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type EmbeddingModelV4 = Extract<EmbeddingModel, { specificationVersion: "v4" }>;
export type ImageModelV4 = Extract<ImageModel, { specificationVersion: "v4" }>;

type VideoModel = Parameters<typeof experimental_generateVideo>[0]["model"];
export type VideoModelV4 = Extract<VideoModel, { specificationVersion: "v4" }>;
/** Fetches what a provider made, by the address that it gave. */
export type Download = NonNullable<Parameters<typeof experimental_generateVideo>[0]["download"]>;

/** What an image shall be like. */
export interface ImageSettings {
  /** `1024x1024`, in pixels. */
  size?: `${number}x${number}`;
  /** `16:9`. */
  aspectRatio?: `${number}:${number}`;
  style?: string;
  quality?: string;
  seed?: number;
}

/** What a model can be shown beside text. */
export type FileKind = "image" | "audio";

/** How files that tools answered reach the models of a provider. */
export interface ModelFiles {
  /** `result`: in the tool's result; `message`: in a message after the results, for protocols whose results are text. */
  place: "result" | "message";
  /** What the vendor says that the model takes; nothing of one that is not known to. */
  of(modelId: string): readonly FileKind[];
}

/** How a kind of provider is talked to. */
export interface ProviderApi {
  /** Throws `MODEL_UNKNOWN` when the provider can tell that it has no such model. Absent: it has no language models. */
  languageModel?(modelId: string): LanguageModelV4;
  /** Whose rules the schemas that it is sent follow. Absent: they are sent as they are. */
  schemas?: SchemaProfile;
  /** Absent: its models are shown no files. */
  files?: ModelFiles;
  /** It has OpenAI's strict mode for tools, used where it can say the whole schema. */
  strictTools?: true;
  /** Absent: it has no embeddings. */
  embeddingModel?(modelId: string): EmbeddingModelV4;
  /** Absent: it makes no images. */
  imageModel?(modelId: string): ImageModelV4;
  /** Absent: it makes no videos. */
  videoModel?(modelId: string): VideoModelV4;
  /** Goes with `videoModel`. */
  download?: Download;
  /** Sent with every request of this provider, by the AI SDK's name for it. */
  requestOptions: Record<string, JsonObject>;
  /** In place of these where tools are offered: most such requests are followed by another one that begins with the same. */
  toolOptions?: Record<string, JsonObject>;
  /** The provider's own words for style and quality. @throws OvenError IMAGE_OPTION_UNSUPPORTED */
  imageOptions?(settings: ImageSettings): Record<string, JsonObject>;
  /** Model ids as the provider lists them; a provider without a list only shows that it answers. */
  listModels(): Promise<string[]>;
}

/** Where models come from. */
export interface Provider extends ProviderApi {
  /** First part of `providerId:modelId`. */
  id: string;
  title: string;
  kind: ModelProvider["kind"];
  configured: boolean;
  simulated: boolean;
  /** Whose list prices hold; absent where somebody else runs the models. */
  vendor?: string;
  /** As `listModels`, which may answer from memory, but really asks. */
  probe(): Promise<string[]>;
  /** What to do when the provider refuses the key. */
  keyHint: string;
}

/** All that a kind needs to be talked to. */
export interface ProviderSettings {
  id: string;
  apiKey: string | undefined;
  /** Without a slash at its end. */
  baseUrl: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}
