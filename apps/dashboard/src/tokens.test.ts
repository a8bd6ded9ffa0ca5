import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TOKENS, type Tokens, toCssVariables } from "@oven/ui/theme/tokens.ts";
import { describe, expect, it } from "vitest";

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const AA = 4.5;
const AA_GRAPHIC = 3;

describe.each(Object.entries(TOKENS) as [string, Tokens][])("the %s tokens", (_, tokens) => {
  it.each(["background", "surface", "sunken"] as const)("keep text readable on %s", (ground) => {
    expect(contrast(tokens.text, tokens[ground])).toBeGreaterThan(AA);
    expect(contrast(tokens.textMuted, tokens[ground])).toBeGreaterThan(AA);
    expect(contrast(tokens.accent, tokens[ground])).toBeGreaterThan(AA);
  });

  it.each(Object.entries(tokens.status))(
    "keep the status %s readable on its tint and on a card",
    (_name, { ink, soft }) => {
      expect(contrast(ink, tokens.surface)).toBeGreaterThan(AA);
      if (soft !== "transparent") expect(contrast(ink, soft)).toBeGreaterThan(AA);
    },
  );

  it("keep the words on buttons readable", () => {
    expect(contrast(tokens.onAccent, tokens.accent)).toBeGreaterThan(AA);
    expect(contrast(tokens.onAccent, tokens.accentHover)).toBeGreaterThan(AA);
    expect(contrast(tokens.accent, tokens.accentSoft)).toBeGreaterThan(AA);
  });

  it("keep kinds and lines visible on the canvas", () => {
    for (const colour of [...Object.values(tokens.kind), ...Object.values(tokens.flow), tokens.edge]) {
      expect(contrast(colour, tokens.canvas)).toBeGreaterThan(AA_GRAPHIC);
    }
  });

  it("keep code readable", () => {
    for (const colour of Object.values(tokens.code)) {
      expect(contrast(colour, tokens.surface)).toBeGreaterThan(AA);
      expect(contrast(colour, tokens.sunken)).toBeGreaterThan(AA);
    }
  });
});

describe("what is shown before the app", () => {
  it("has the colours of the tokens", () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8").toUpperCase();
    for (const { background, text } of [TOKENS.light, TOKENS.dark]) {
      expect(read("boot.css")).toContain(background);
      expect(read("boot.css")).toContain(text);
      for (const page of ["../index.html", "../form.html"]) expect(read(page)).toContain(`CONTENT="${background}"`);
    }
  });

  it("names every variable that the editor's style sheets use", () => {
    const source = fileURLToPath(new URL("../../../packages/workflow-editor/src", import.meta.url));
    const sheets = globSync("**/*.css", { cwd: source }).map((path) => readFileSync(join(source, path), "utf8"));
    expect(sheets.length).toBeGreaterThan(2);
    const sheet = sheets.join("\n");
    const used = new Set([...sheet.matchAll(/var\((--oven-[a-z-]+)\)/g)].map(([, name]) => name));
    // Set on each card by its kind, its end and its progress, or by the sheets themselves.
    const own = [...sheet.matchAll(/(--oven-[a-z-]+):/g)].map(([, name]) => name);
    const local = new Set(["--oven-kind", "--oven-end", "--oven-progress", ...own]);
    const defined = toCssVariables(TOKENS.light);
    expect([...used].filter((name) => name !== undefined && !local.has(name) && !(name in defined))).toEqual([]);
  });
});
