"use client";

// First: schemas are made when the modules below are loaded.
import "@oven/ui/without-eval.ts";
import { CacheProvider } from "@emotion/react";
import CssBaseline from "@mui/material/CssBaseline";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { styleCache } from "@oven/ui/theme/style-cache.ts";
import { darkTheme, lightTheme } from "@oven/ui/theme/theme.ts";
import type { ReactElement } from "react";
import { FormPage } from "./form-page.tsx";

const [light, dark] = [createTheme(lightTheme), createTheme(darkTheme)];

/** A form for strangers: nothing of the dashboard is loaded. */
export function FormApp({ token }: { token: string }): ReactElement {
  const isDark = useMediaQuery("(prefers-color-scheme: dark)", { noSsr: true });
  return (
    <CacheProvider value={styleCache}>
      <ThemeProvider theme={isDark ? dark : light}>
        <CssBaseline />
        <FormPage token={token} />
      </ThemeProvider>
    </CacheProvider>
  );
}
