import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { BrandMark } from "@oven/ui/components/brand-mark.tsx";
import { type ReactElement, type ReactNode, useEffect } from "react";
import { LanguageChoice } from "../i18n/language-choice.tsx";

/** The frame of the pages outside the dashboard: sign-in and set-up. */
export function AccessFrame({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = `${title} · OVEN`;
  }, [title]);
  return (
    <Box
      component="main"
      sx={{
        display: "grid",
        placeItems: { xs: "start center", sm: "center" },
        minHeight: "100dvh",
        px: 2,
        py: { xs: 6, sm: 4 },
        bgcolor: "background.default",
      }}
    >
      <Box sx={{ width: "100%", maxWidth: 400 }}>
        <Box
          sx={{
            display: "flex",
            alignItems: "center",
            gap: 1.25,
            mb: 3,
            fontSize: 18,
            fontWeight: 750,
            letterSpacing: "0.06em",
          }}
        >
          <BrandMark size={30} />
          OVEN
        </Box>
        <Box
          sx={{
            p: { xs: 2.5, sm: 3.5 },
            border: 1,
            borderColor: "divider",
            borderRadius: 3,
            bgcolor: "background.paper",
          }}
        >
          <Typography variant="h1">{title}</Typography>
          <Typography color="text.secondary" sx={{ mt: 0.5, mb: 2.5 }}>
            {text}
          </Typography>
          {children}
        </Box>
        <Box sx={{ mt: 2 }}>
          <LanguageChoice />
        </Box>
      </Box>
    </Box>
  );
}
