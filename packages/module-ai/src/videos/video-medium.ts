import { OvenError } from "@oven/contract";
import type { ResolvedModel } from "@oven/contract/ai";
import { experimental_generateVideo as generateVideo } from "ai";
import type { Medium } from "../media/media-calls.ts";
import { fromStored, type StoredMedia, toStored } from "../media/stored-media.ts";
import { toWarnings } from "../model/to-answer.ts";
import { providerKinds } from "../providers/provider-kinds.ts";
import type { VideoAnswer, VideoRequest } from "./video-request.ts";

const DEFAULT_SECONDS = 8;
const MAX_SECONDS = 60;
const NO_TOKENS = { input: 0, output: 0, total: 0 };

export const videoMedium: Medium<VideoRequest, VideoAnswer["video"]> = {
  operation: "video",
  timeoutMs: 900_000,
  check({ prompt, seconds = DEFAULT_SECONDS, aspectRatio, resolution }) {
    const refuse = (message: string, fix: string) => new OvenError("INVALID_REQUEST", message, { status: 422, fix });
    if (prompt.trim() === "") throw refuse("A video needs a prompt", "Say what it shall show");
    if (!Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_SECONDS)
      throw refuse(`A video of ${seconds} seconds cannot be asked for`, `Ask for up to ${MAX_SECONDS}`);
    if (aspectRatio !== undefined && !/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(aspectRatio))
      throw refuse(`${JSON.stringify(aspectRatio)} is not an aspect ratio`, "Write it as 16:9");
    if (resolution !== undefined && !/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(resolution))
      throw refuse(`${JSON.stringify(resolution)} is not a resolution`, "Write it as 1280x720");
  },
  settings: ({ seconds = DEFAULT_SECONDS, aspectRatio, resolution, seed }) => ({
    ...{ seconds, aspectRatio, resolution, seed },
  }),
  bounds: ({ seconds = DEFAULT_SECONDS }) => ({ made: { videoSeconds: seconds }, tokens: 0 }),
  prepare(request, { resolved, provider }, timeoutMs) {
    const model = provider.videoModel?.(resolved.modelId);
    if (model === undefined) throw noVideos(resolved);
    const { prompt, seconds = DEFAULT_SECONDS, aspectRatio, resolution, seed } = request;
    return async (abortSignal) => {
      const { video, warnings } = await generateVideo({
        ...{ model, prompt, duration: seconds, maxRetries: 0, abortSignal, poll: { timeoutMs } },
        ...(provider.download === undefined ? {} : { download: provider.download }),
        ...(aspectRatio === undefined ? {} : { aspectRatio }),
        ...(resolution === undefined ? {} : { resolution }),
        ...(seed === undefined ? {} : { seed }),
      });
      return {
        content: { bytes: video.uint8Array, mediaType: video.mediaType },
        usage: NO_TOKENS,
        made: { videoSeconds: seconds },
        warnings: toWarnings(warnings),
      };
    };
  },
  toJson: toStored,
  fromJson: (kept) => fromStored(kept as unknown as StoredMedia), // cast: as `toJson` wrote it
};

const VENDORS = new Intl.ListFormat("en", { type: "disjunction" });

function noVideos({ providerId, modelId }: ResolvedModel): OvenError {
  const titles = providerKinds().flatMap(({ title, makes }) => (makes.includes("videos") ? [title] : []));
  return new OvenError("MODEL_UNKNOWN", `The provider ${providerId} makes no videos, so it has no \`${modelId}\``, {
    status: 422,
    fix: `Take a model that makes videos, of ${VENDORS.format(titles)}`,
  });
}
