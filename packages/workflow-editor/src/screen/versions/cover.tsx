import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { type ReactElement, type ReactNode, useEffect } from "react";

export interface CoverProps {
  title: string;
  /** Beside the title: a legend, a status. */
  line?: ReactNode;
  actions?: ReactNode;
  /** Beside the picture; below it on a phone. */
  side?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** Something to be looked at in the place of the canvas, which waits behind it. Escape goes back. */
export function Cover({ title, line, actions, side, children, onClose }: CoverProps): ReactElement {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const inDialog = event.target instanceof HTMLElement && event.target.closest("[role=dialog]") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !inDialog) onClose();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onClose]);
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        position: "absolute",
        inset: 0,
        zIndex: 6,
        display: "flex",
        flexDirection: "column",
        bgcolor: "background.default",
      }}
    >
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.25,
          px: 1.5,
          py: 0.75,
          borderBottom: 1,
          borderColor: "divider",
          bgcolor: "background.paper",
        }}
      >
        <Typography variant="h2">{title}</Typography>
        {line}
        <Box sx={{ flex: 1 }} />
        {actions}
        <Button size="small" startIcon={<CloseRounded />} onClick={onClose}>
          {t("Back to the draft")}
        </Button>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, display: "flex", flexDirection: { xs: "column", md: "row" } }}>
        <Box sx={{ flex: 1, minWidth: 0, minHeight: 140, position: "relative" }}>
          <Box sx={{ position: "absolute", inset: 0 }}>{children}</Box>
        </Box>
        {side === undefined ? null : (
          <Box
            tabIndex={0}
            role="region"
            aria-label={t("Details of {{title}}", { title })}
            sx={{
              width: { md: 360 },
              maxHeight: { xs: "50%", md: "none" },
              overflow: "auto",
              borderLeft: { md: 1 },
              borderTop: { xs: 1, md: 0 },
              borderColor: { xs: "divider", md: "divider" },
              bgcolor: "background.paper",
            }}
          >
            {side}
          </Box>
        )}
      </Box>
    </Box>
  );
}
