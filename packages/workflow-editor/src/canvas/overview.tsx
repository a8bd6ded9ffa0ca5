import { t } from "@oven/i18n";
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { memo, type PointerEvent, type ReactElement, useMemo } from "react";
import type { Projection } from "../editor/use-projection.ts";
import { toAbsolute } from "../layout/placement.ts";

const WIDTH = 180;
const HEIGHT = 120;

interface Bounds {
  x: number;
  y: number;
  scale: number;
}

/**
 * A small picture of the whole graph with a frame around the part in view. A click or a drag moves the view. React Flow's own
 * mini map asks every node at every move of the pointer, which is slow with a thousand nodes.
 */
export function Overview({ projection }: { projection: Projection }): ReactElement {
  const flow = useReactFlow();
  const { model, placement } = projection;
  const { path, bounds } = useMemo(() => drawBoxes(model, placement), [model, placement]);
  const goTo = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = bounds.x + (event.clientX - box.left) / bounds.scale;
    const y = bounds.y + (event.clientY - box.top) / bounds.scale;
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  };
  return (
    <Panel position="bottom-right" className="oven-overview">
      <svg
        width={WIDTH}
        height={HEIGHT}
        viewBox={`${bounds.x} ${bounds.y} ${WIDTH / bounds.scale} ${HEIGHT / bounds.scale}`}
        role="img"
        aria-label={t("Overview")}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goTo(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) goTo(event);
        }}
      >
        <Boxes path={path} />
        <InView bounds={bounds} />
      </svg>
    </Panel>
  );
}

/** All nodes as one SVG path, and the part of the plane that shows them in the middle of the overview. */
function drawBoxes(model: Projection["model"], placement: Projection["placement"]): { path: string; bounds: Bounds } {
  const boxes = model.nodes.flatMap((node) => {
    const placed = placement.get(node.id);
    return placed === undefined
      ? []
      : [{ ...toAbsolute(node.id, model, placement), width: placed.width, height: placed.height }];
  });
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - top;
  const scale = Math.min((WIDTH - 16) / width, (HEIGHT - 16) / height);
  const x = left - (WIDTH / scale - width) / 2;
  const y = top - (HEIGHT / scale - height) / 2;
  const drawn = boxes.map((box) => `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}z`).join("");
  return { path: drawn, bounds: { x, y, scale } };
}

const Boxes = memo(({ path }: { path: string }) => <path className="oven-overview__boxes" d={path} />);

function InView({ bounds }: { bounds: Bounds }): ReactElement {
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (
    <rect
      className="oven-overview__view"
      x={-x / zoom}
      y={-y / zoom}
      width={width / zoom}
      height={height / zoom}
      strokeWidth={1.5 / bounds.scale}
    />
  );
}
