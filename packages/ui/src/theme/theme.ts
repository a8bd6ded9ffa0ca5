import type { RaThemeOptions } from "react-admin";
import { LATE } from "./late.ts";
import { MONOSPACE, TOKENS, type Tokens, toCssVariables } from "./tokens.ts";

const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif';

function createOvenTheme(mode: "light" | "dark", tokens: Tokens): RaThemeOptions {
  const focus = { outline: `2px solid ${tokens.accent}`, outlineOffset: 2 };
  return {
    spacing: 8,
    shape: { borderRadius: 4 },
    sidebar: { width: 232, closedWidth: 56 },
    palette: {
      mode,
      primary: {
        main: tokens.accent,
        dark: tokens.accentHover,
        light: tokens.accentSoft,
        contrastText: tokens.onAccent,
      },
      secondary: { main: tokens.accent, contrastText: tokens.onAccent },
      error: { main: tokens.status.failed.ink, light: tokens.status.failed.soft },
      warning: { main: tokens.status.paused.ink, light: tokens.status.paused.soft },
      success: { main: tokens.status.completed.ink, light: tokens.status.completed.soft },
      info: { main: tokens.status.running.ink, light: tokens.status.running.soft },
      background: { default: tokens.background, paper: tokens.surface },
      text: { primary: tokens.text, secondary: tokens.textMuted },
      divider: tokens.border,
      action: { hover: mode === "light" ? "rgb(23 27 38 / 4%)" : "rgb(231 233 238 / 6%)", selected: tokens.accentSoft },
    },
    typography: {
      fontFamily: FONT,
      fontSize: 14,
      htmlFontSize: 16,
      h1: { fontSize: 21, lineHeight: "28px", fontWeight: 650, letterSpacing: "-0.012em" },
      h2: { fontSize: 15, lineHeight: "22px", fontWeight: 650, letterSpacing: "-0.005em" },
      h3: { fontSize: 13.5, lineHeight: "20px", fontWeight: 650 },
      body1: { fontSize: 14, lineHeight: "21px" },
      body2: { fontSize: 13, lineHeight: "19px" },
      caption: { fontSize: 12, lineHeight: "17px" },
      overline: { fontSize: 11, lineHeight: "16px", fontWeight: 600, letterSpacing: "0.05em" },
      button: { fontSize: 13.5, fontWeight: 600, textTransform: "none", lineHeight: "20px" },
    },
    transitions: {
      duration: {
        shortest: 120,
        shorter: 120,
        short: 140,
        standard: 160,
        complex: 200,
        enteringScreen: 160,
        leavingScreen: 140,
      },
    },
    components: {
      MuiSkeleton: { defaultProps: { animation: false }, styleOverrides: { root: LATE } },
      MuiCssBaseline: {
        styleOverrides: {
          ":root": { ...toCssVariables(tokens), colorScheme: mode },
          body: { backgroundColor: tokens.background, WebkitFontSmoothing: "antialiased" },
          "a:focus-visible, button:focus-visible, [tabindex]:focus-visible": focus,
          "code, kbd, pre": { fontFamily: MONOSPACE, fontSize: "0.92em" },
          "@media (prefers-reduced-motion: reduce)": {
            "*, *::before, *::after": {
              animationDuration: "0.01ms !important",
              animationIterationCount: "1 !important",
              // Not a short time: an element without a transition would get one, of all its properties, at each level of what it inherits.
              transition: "none !important",
            },
          },
        },
      },
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { "&.Mui-focusVisible": focus } },
      },
      MuiButton: {
        defaultProps: { disableElevation: true, size: "medium" },
        styleOverrides: {
          root: { borderRadius: 7, minHeight: 36, paddingInline: 14, whiteSpace: "nowrap" },
          sizeSmall: { minHeight: 30, paddingInline: 10, fontSize: 13 },
          outlined: { borderColor: tokens.borderStrong, color: tokens.text, backgroundColor: tokens.surface },
          text: { color: tokens.text },
        },
      },
      MuiIconButton: { styleOverrides: { root: { borderRadius: 7 } } },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: "none" } } },
      MuiCard: { styleOverrides: { root: { border: `1px solid ${tokens.border}`, borderRadius: 10 } } },
      MuiDialog: { styleOverrides: { paper: { border: `1px solid ${tokens.border}`, borderRadius: 12 } } },
      MuiMenu: {
        styleOverrides: {
          paper: { border: `1px solid ${tokens.border}`, boxShadow: "0 8px 28px rgb(10 14 25 / 16%)" },
        },
      },
      MuiTooltip: {
        defaultProps: { enterDelay: 300, arrow: false },
        styleOverrides: {
          tooltip: {
            fontSize: 12,
            backgroundColor: mode === "light" ? "#20252F" : "#39404E",
            color: "#FFFFFF",
            borderRadius: 6,
          },
        },
      },
      MuiChip: { styleOverrides: { root: { borderRadius: 6, fontWeight: 550, fontSize: 12.5 } } },
      MuiTabs: { styleOverrides: { root: { minHeight: 40 }, indicator: { height: 2 } } },
      MuiTab: {
        defaultProps: { disableRipple: true },
        styleOverrides: {
          root: { minHeight: 40, minWidth: 0, padding: "8px 12px", textTransform: "none", fontSize: 13.5 },
        },
      },
      MuiTextField: { defaultProps: { size: "small", variant: "outlined", margin: "none" } },
      MuiFormControl: { defaultProps: { size: "small", variant: "outlined", margin: "none" } },
      // What cannot be changed still says why.
      MuiFormHelperText: { styleOverrides: { root: { "&.Mui-disabled": { color: tokens.textMuted } } } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: { backgroundColor: tokens.surface, borderRadius: 7 },
          notchedOutline: { borderColor: tokens.borderStrong },
        },
      },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: tokens.border, fontVariantNumeric: "tabular-nums", fontSize: 13.5 },
          head: { fontWeight: 600, fontSize: 12, color: tokens.textMuted },
        },
      },
      MuiLink: { defaultProps: { underline: "hover" } },
      MuiAlert: {
        styleOverrides: {
          root: { borderRadius: 8, alignItems: "flex-start", color: tokens.text },
          standardInfo: { backgroundColor: tokens.status.running.soft },
          standardWarning: { backgroundColor: tokens.status.paused.soft },
          standardError: { backgroundColor: tokens.status.failed.soft },
          standardSuccess: { backgroundColor: tokens.status.completed.soft },
        },
      },
      RaDataTable: {
        styleOverrides: {
          root: {
            "& .RaDataTable-tableWrapper": { overflowX: "auto" },
            "& .RaDataTable-headerCell": { backgroundColor: "transparent", padding: "8px 12px", fontWeight: 600 },
            "& .RaDataTable-rowCell": { padding: "9px 12px" },
            "& .RaDataTable-clickableRow": { cursor: "pointer" },
            "& .RaDataTable-row:last-child .MuiTableCell-root": { borderBottom: 0 },
          },
        },
      },
    },
  };
}

/** The light theme. */
export const lightTheme = createOvenTheme("light", TOKENS.light);
/** The dark theme. */
export const darkTheme = createOvenTheme("dark", TOKENS.dark);
