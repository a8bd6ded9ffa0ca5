import ExpandLessRounded from "@mui/icons-material/ExpandLessRounded";
import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode, useState } from "react";
import { useStore } from "react-admin";

export interface DrawerSection {
  id: string;
  label: string;
  content: () => ReactNode;
}

const LOWEST = 120;
const STEP = 40;

/** Below the canvas: one of its sections, or only their names. Its upper edge can be moved. */
export function EditorDrawer({
  sections,
  open,
  onOpen,
}: {
  sections: readonly DrawerSection[];
  /** Id of the section that is shown. */
  open: string | null;
  onOpen: (id: string | null) => void;
}): ReactElement {
  const [height, setHeight] = useStore<number>("editor.drawer", 280);
  const shown = sections.find(({ id }) => id === open);
  return (
    <Box
      component="section"
      aria-label={t("Drawer")}
      sx={{ borderTop: 1, borderColor: "divider", bgcolor: "background.paper", minHeight: 0 }}
    >
      {shown === undefined ? null : <Edge height={height} onChange={setHeight} />}
      <Box sx={{ display: "flex", overflowX: "auto" }}>
        {sections.map(({ id, label }) => {
          const isOpen = id === open;
          const Icon = isOpen ? ExpandMoreRounded : ExpandLessRounded;
          return (
            <Box
              key={id}
              component="button"
              type="button"
              aria-expanded={isOpen}
              onClick={() => onOpen(isOpen ? null : id)}
              sx={{
                display: "flex",
                flex: "none",
                alignItems: "center",
                gap: 0.75,
                px: 1.5,
                py: 0.75,
                border: 0,
                font: "inherit",
                fontSize: 13,
                fontWeight: 600,
                color: isOpen ? "primary.main" : "inherit",
                bgcolor: "transparent",
                cursor: "pointer",
                whiteSpace: "nowrap",
                "&:focus-visible": { outlineOffset: "-2px" },
              }}
            >
              <Icon sx={{ fontSize: 18 }} />
              {label}
            </Box>
          );
        })}
      </Box>
      {shown === undefined ? null : (
        <Box
          role="region"
          aria-label={shown.label}
          tabIndex={0}
          sx={{ height, maxHeight: "60dvh", overflow: "auto", borderTop: 1, borderColor: "divider" }}
        >
          {shown.content()}
        </Box>
      )}
    </Box>
  );
}

/** The upper edge: drawn with the pointer, or moved with the arrow keys. */
function Edge({ height, onChange }: { height: number; onChange: (height: number) => void }): ReactElement {
  const [from, setFrom] = useState<{ y: number; height: number } | null>(null);
  const highest = Math.max(LOWEST, Math.round(globalThis.innerHeight * 0.6));
  const set = (next: number): void => onChange(Math.round(Math.min(Math.max(next, LOWEST), highest)));
  return (
    <Box
      role="separator"
      aria-orientation="horizontal"
      aria-label={t("Height of the drawer")}
      aria-valuemin={LOWEST}
      aria-valuemax={highest}
      aria-valuenow={Math.min(height, highest)}
      tabIndex={0}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ y: event.clientY, height });
      }}
      onPointerMove={(event: PointerEvent<HTMLElement>) => {
        if (from !== null) set(from.height + from.y - event.clientY);
      }}
      onPointerUp={() => setFrom(null)}
      onKeyDown={(event: KeyboardEvent) => {
        const change = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
        if (change === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        set(height + change);
      }}
      sx={{
        height: 7,
        mt: "-4px",
        position: "relative",
        zIndex: 1,
        cursor: "ns-resize",
        touchAction: "none",
        "&:hover, &:focus-visible": { bgcolor: "primary.main", opacity: 0.5 },
      }}
    />
  );
}
