import CssBaseline from "@mui/material/CssBaseline";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { darkTheme, lightTheme } from "@oven/ui/theme/theme.ts";
import { type ReactElement, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { Host, HostContext } from "./host.ts";
import { RunView, type ViewKind } from "./run-view.tsx";

const THEMES = { light: createTheme(lightTheme), dark: createTheme(darkTheme) };

/** Shows the view, in the client's theme as it is now. */
export function showApp(element: HTMLElement, host: Host, context: HostContext, kind: ViewKind): void {
  createRoot(element).render(
    <StrictMode>
      <App host={host} context={context} kind={kind} />
    </StrictMode>,
  );
  // A link would lead nowhere in here: the client opens it, or does not.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    if (/^(https?|mailto):/.test(link.href)) void host.openLink(link.href);
  });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    host.sizeChanged(Math.ceil(width), Math.ceil(height));
  }).observe(document.documentElement);
}

function App({ host, context, kind }: { host: Host; context: HostContext; kind: ViewKind }): ReactElement {
  const [wanted, setWanted] = useState(context.theme);
  const prefersDark = useMediaQuery("(prefers-color-scheme: dark)");
  useEffect(() => {
    host.on("ui/notifications/host-context-changed", (params) => {
      const { theme } = params as HostContext; // cast: the protocol's
      if (theme !== undefined) setWanted(theme);
    });
  }, [host]);
  return (
    <ThemeProvider theme={THEMES[wanted ?? (prefersDark ? "dark" : "light")]}>
      <CssBaseline />
      <RunView host={host} kind={kind} />
    </ThemeProvider>
  );
}
