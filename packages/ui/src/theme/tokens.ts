import type { NodeKind } from "@oven/contract/node";

/*
 * Every colour of the dashboard and of the graph. One accent; the others only carry meaning. Text colours meet AA
 * on `background`, `surface` and their own soft tint.
 */
export type StatusTone = "running" | "paused" | "completed" | "failed" | "cancelled" | "stopped" | "queued";

/** What states that steer a run do. */
export type FlowColour = "decide" | "repeat" | "beside" | "wait" | "signal" | "note" | "stop" | "limit";

export interface Tokens {
  background: string;
  surface: string;
  sunken: string;
  border: string;
  borderStrong: string;
  text: string;
  textMuted: string;
  accent: string;
  accentHover: string;
  onAccent: string;
  accentSoft: string;
  canvas: string;
  canvasDots: string;
  edge: string;
  status: Record<StatusTone, { ink: string; soft: string }>;
  kind: Record<NodeKind, string>;
  flow: Record<FlowColour, string>;
  code: { key: string; text: string; number: string; constant: string; template: string };
}

/** Colours by what they are for. */
export const TOKENS: { light: Tokens; dark: Tokens } = {
  light: {
    background: "#F7F8FA",
    surface: "#FFFFFF",
    sunken: "#F1F3F6",
    border: "#E2E5EB",
    borderStrong: "#C6CBD6",
    text: "#171B26",
    textMuted: "#596070",
    accent: "#4051D3",
    accentHover: "#3342B4",
    onAccent: "#FFFFFF",
    accentSoft: "#ECEEFD",
    canvas: "#FAFBFC",
    canvasDots: "#DCE0E8",
    edge: "#8A92A3",
    status: {
      running: { ink: "#1A5DCB", soft: "#E7F0FE" },
      paused: { ink: "#8F5600", soft: "#FDF2DA" },
      completed: { ink: "#17713A", soft: "#E4F5EA" },
      failed: { ink: "#BC2626", soft: "#FDEBEA" },
      cancelled: { ink: "#596070", soft: "#EDEFF3" },
      stopped: { ink: "#475569", soft: "#E6EAF0" },
      queued: { ink: "#596070", soft: "transparent" },
    },
    kind: {
      model: "#7C3AED",
      tool: "#2563EB",
      memory: "#0B7D74",
      human: "#BD5208",
      data: "#6B7280",
      flow: "#475569",
      child: "#4F46E5",
    },
    flow: {
      decide: "#9A6700",
      repeat: "#0E7490",
      beside: "#3F7D20",
      wait: "#BE185D",
      signal: "#A21CAF",
      note: "#64748B",
      stop: "#B91C1C",
      limit: "#6D5E00",
    },
    code: { key: "#20407F", text: "#176B39", number: "#9A4A00", constant: "#7A33C2", template: "#B03A6B" },
  },
  dark: {
    background: "#0F1115",
    surface: "#171A21",
    sunken: "#1E222B",
    border: "#2A2F3A",
    borderStrong: "#414959",
    text: "#E7E9EE",
    textMuted: "#A3AAB8",
    accent: "#A3AEFF",
    accentHover: "#BAC3FF",
    onAccent: "#10131F",
    accentSoft: "#232846",
    canvas: "#111318",
    canvasDots: "#272C36",
    edge: "#707A8C",
    status: {
      running: { ink: "#82B5FF", soft: "#16263F" },
      paused: { ink: "#F2B84B", soft: "#33270F" },
      completed: { ink: "#66D18E", soft: "#12301E" },
      failed: { ink: "#FF8F8A", soft: "#3B1A1B" },
      cancelled: { ink: "#A3AAB8", soft: "#232831" },
      stopped: { ink: "#A9B6C8", soft: "#222B36" },
      queued: { ink: "#A3AAB8", soft: "transparent" },
    },
    kind: {
      model: "#B794FF",
      tool: "#7FB2FF",
      memory: "#4FD1C5",
      human: "#FFA35C",
      data: "#A3AAB8",
      flow: "#9AA8BC",
      child: "#A5A8FF",
    },
    flow: {
      decide: "#E3B341",
      repeat: "#5CC8DE",
      beside: "#8CC46B",
      wait: "#F58BBB",
      signal: "#E38BF0",
      note: "#94A3B8",
      stop: "#FF8F8A",
      limit: "#D6C24A",
    },
    code: { key: "#9CBEFF", text: "#8FD9A8", number: "#F5B97A", constant: "#CBA6FF", template: "#FF9EC4" },
  },
};

/** The font family of code and ids. */
export const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace';

/** The tokens as CSS custom properties: the graph and plain SVG take their colours from here. */
export function toCssVariables(tokens: Tokens): Record<string, string> {
  const variables: Record<string, string> = {
    "--oven-surface": tokens.surface,
    "--oven-sunken": tokens.sunken,
    "--oven-border": tokens.border,
    "--oven-border-strong": tokens.borderStrong,
    "--oven-text": tokens.text,
    "--oven-text-muted": tokens.textMuted,
    "--oven-focus": tokens.accent,
    "--oven-canvas": tokens.canvas,
    "--oven-canvas-dots": tokens.canvasDots,
    "--oven-edge": tokens.edge,
  };
  for (const [status, colour] of Object.entries(tokens.status)) {
    variables[`--oven-status-${status}`] = colour.ink;
    variables[`--oven-status-${status}-soft`] = colour.soft;
  }
  for (const [kind, colour] of Object.entries(tokens.kind)) variables[`--oven-kind-${kind}`] = colour;
  for (const [flow, colour] of Object.entries(tokens.flow)) variables[`--oven-flow-${flow}`] = colour;
  for (const [name, colour] of Object.entries(tokens.code)) variables[`--oven-code-${name}`] = colour;
  return variables;
}
