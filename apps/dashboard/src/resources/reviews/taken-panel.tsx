import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** In place of the buttons while a decision can be taken back, or is on its way. */
export function TakenPanel({ onNext }: { onNext: (() => void) | null }): ReactElement {
  return (
    <Box
      role="group"
      aria-label={t("Your decision")}
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 2,
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.5,
        p: { xs: 2, sm: 2.5 },
        borderTop: 1,
        borderColor: "divider",
        borderRadius: "0 0 10px 10px",
        bgcolor: "var(--oven-sunken)",
      }}
    >
      <Typography variant="body2" color="text.secondary" sx={{ flex: "1 1 200px" }}>
        {t("You have decided this. Nothing starts before it is sent.")}
      </Typography>
      {onNext === null ? null : (
        <Button variant="contained" autoFocus onClick={onNext}>
          {t("Next review")}
        </Button>
      )}
    </Box>
  );
}
