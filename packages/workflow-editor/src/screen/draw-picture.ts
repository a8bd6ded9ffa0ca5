import type { NodeType } from "@oven/contract/node";
import { download } from "@oven/ui/components/download.ts";
import { TOKENS } from "@oven/ui/theme/tokens.ts";
import { drawDefinition } from "../look/picture.ts";

const SCALE = 2;

/** The graph as a file, in light colours: pictures go into documents. */
export async function drawPicture(
  definition: unknown,
  nodeTypes: readonly NodeType[] | undefined,
  name: string,
  type: "svg" | "png",
): Promise<void> {
  const { canvas, surface, sunken, borderStrong, text, textMuted, edge, status, kind } = TOKENS.light;
  const picture = await drawDefinition(definition, nodeTypes, {
    canvas,
    surface,
    sunken,
    border: borderStrong,
    text,
    muted: textMuted,
    edge,
    failed: status.failed.ink,
    completed: status.completed.ink,
    kind,
  });
  if (type === "svg") {
    download(`${name}.svg`, "image/svg+xml", picture.svg);
    return;
  }
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}`;
  await image.decode();
  const area = document.createElement("canvas");
  area.width = picture.width * SCALE;
  area.height = picture.height * SCALE;
  area.getContext("2d")?.drawImage(image, 0, 0, area.width, area.height);
  const blob = await new Promise<Blob | null>((done) => area.toBlob(done, "image/png"));
  if (blob === null) throw new Error("The graph is too large for a PNG: take the SVG");
  download(`${name}.png`, "image/png", blob);
}
