import { crc32, deflateSync } from "node:zlib";
import type { ImageModelV4 } from "../providers/model-provider.ts";
import { SIMULATED_PROVIDER } from "./simulated-model.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SIDE = 64;
/** Files say what they are wherever they go: as a text chunk that image viewers show. */
const LABEL = "Simulated: no model made this image.";

/** Makes a small real PNG whose colours follow from prompt and seed. */
export function createSimulatedImageModel(): ImageModelV4 {
  return {
    specificationVersion: "v4",
    provider: SIMULATED_PROVIDER,
    modelId: "image",
    maxImagesPerCall: 10,
    async doGenerate({ prompt, n, size, aspectRatio, seed }) {
      const [width, height] = toSides(size, aspectRatio);
      const images = Array.from({ length: n }, (_, index) =>
        toPng(width, height, crc32(`${prompt ?? ""}/${seed ?? 0}/${index}`)),
      );
      return { images, warnings: [], response: { timestamp: new Date(0), modelId: "image", headers: undefined } };
    },
  };
}

function toSides(size: string | undefined, aspectRatio: string | undefined): [number, number] {
  const [across = 1, down = 1] = (size?.split("x") ?? aspectRatio?.split(":") ?? []).map(Number);
  const longest = Math.max(across, down);
  return [Math.max(1, Math.round((SIDE * across) / longest)), Math.max(1, Math.round((SIDE * down) / longest))];
}

function toPng(width: number, height: number, hash: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, truecolour.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.concat(
    Array.from({ length: height }, (_, y) => {
      const row = Buffer.alloc(1 + width * 3);
      for (let x = 0; x < width; x++)
        row.set([(hash + x * 3) & 255, ((hash >> 8) + y * 3) & 255, (hash >> 16) & 255], 1 + x * 3);
      return row;
    }),
  );
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", header),
    toChunk("tEXt", Buffer.from(`Comment\0${LABEL}`, "latin1")),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
