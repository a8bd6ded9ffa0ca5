import type { EmbedTheme } from "@oven/contract/embed";

const LIGHT =
  "--back:#fff;--raised:#f2f4f7;--text:#16191f;--quiet:#59606c;--line:#8b919c;--bad:#b3261e;color-scheme:light;";
const DARK =
  "--back:#16191f;--raised:#242932;--text:#eef0f4;--quiet:#a9b0bc;--line:#6d7480;--bad:#ffb4ab;color-scheme:dark;";

const RULES = `
*, *::before, *::after { box-sizing: border-box; }
.frame { font: 400 15px/1.45 system-ui, sans-serif; color: var(--text); }
button, input, select, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 0; border-radius: 8px; padding: 8px 14px; background: var(--raised); }
button:disabled { cursor: default; opacity: .55; }
button.main { background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; display: block; }
.bubble { position: fixed; z-index: 2147483000; bottom: 20px; }
.bubble.right { right: 20px; } .bubble.left { left: 20px; }
.launch { width: 56px; height: 56px; border-radius: 50%; padding: 16px; background: var(--accent); color: var(--on-accent); box-shadow: 0 4px 16px #0005; }
.panel { display: flex; flex-direction: column; background: var(--back); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
.inline .panel { height: min(560px, 80vh); width: 100%; }
.inline .panel.form { height: auto; }
.bubble .panel { position: absolute; bottom: 70px; width: 380px; height: min(600px, calc(100vh - 110px)); box-shadow: 0 8px 32px #0006; animation: rise .16s ease-out; }
.bubble.right .panel { right: 0; } .bubble.left .panel { left: 0; }
.panel[hidden] { display: none; }
header { display: flex; align-items: center; gap: 4px; padding: 10px 8px 10px 16px; background: var(--accent); color: var(--on-accent); }
header h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
header button { background: transparent; padding: 8px; }
header button:focus-visible { outline-color: var(--on-accent); }
.log { flex: 1; overflow-y: auto; padding: 14px; display: flex; flex-direction: column; gap: 10px; min-height: 0; }
.said { margin: 0; padding: 8px 12px; border-radius: 12px; background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere; max-width: 88%; align-self: flex-start; }
.said.own { align-self: flex-end; background: var(--accent); color: var(--on-accent); }
.note { margin: 0; color: var(--quiet); font-size: 14px; }
.note.waiting { border-left: 3px solid var(--accent); padding-left: 10px; color: var(--text); }
.bad { color: var(--bad); }
.question { border: 1px solid var(--line); border-radius: 12px; padding: 10px 12px; display: grid; gap: 8px; }
.question p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.row { display: flex; gap: 8px; flex-wrap: wrap; }
.write { display: flex; gap: 8px; align-items: flex-end; padding: 10px; border-top: 1px solid var(--line); }
.write textarea { flex: 1; resize: none; max-height: 140px; }
.write button { padding: 9px; }
textarea, input, select { background: var(--back); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; width: 100%; min-width: 0; }
::placeholder { color: var(--quiet); opacity: 1; }
input[type=checkbox] { width: 18px; height: 18px; accent-color: var(--accent); }
.problem { padding: 0 14px 8px; margin: 0; color: var(--bad); font-size: 14px; }
.problem:empty { display: none; }
form.fields { display: grid; gap: 14px; padding: 16px; overflow-y: auto; }
.field { display: grid; gap: 4px; border: 0; margin: 0; padding: 0; min-width: 0; }
.field label.check { display: flex; gap: 8px; align-items: center; }
.field .name { font-weight: 600; padding: 0; }
.field .bad, .field .help { font-size: 14px; margin: 0; }
.field .help { color: var(--quiet); }
[aria-invalid=true] { border-color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }
@media (max-width: 480px) {
  .bubble .panel { position: fixed; inset: 0; width: auto; height: auto; border-radius: 0; border: 0; }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; scroll-behavior: auto !important; } }
`;

/** A sheet that is made by script: no policy for styles has to allow anything. */
export function embedStyles({ accent, scheme }: EmbedTheme): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  const colours = `--accent:${accent};--on-accent:${textOn(accent)};`;
  const first = scheme === "dark" ? DARK : LIGHT;
  const other = scheme === "auto" ? `@media (prefers-color-scheme: dark) { .frame { ${DARK} } }` : "";
  sheet.replaceSync(`:host { all: initial; display: block; } .frame { ${colours} ${first} } ${other} ${RULES}`);
  return sheet;
}

/** Black or white, whichever reads better (WCAG 2.2, relative luminance). */
function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#fff" : "#000";
}
