import { TOKENS, type Tokens } from "@oven/ui/theme/tokens.ts";
import { DIFF_MARKS, type DiffMark, drawDiff, type PictureColours } from "@oven/workflow-editor/diff-picture";
import { toVisible } from "../visible-text.ts";
import { type ChangeEntry, type Sign, toEntries } from "./change-lines.ts";
import type { Difference, PartDiff, WorkflowDiff } from "./compare-parts.ts";

/** Text colours on the page's background, at least 4.5 : 1. */
const MARKS: Record<"light" | "dark", Record<DiffMark, string>> = {
  light: { added: "#17713A", removed: "#BC2626", changed: "#8A5A00", moved: "#6D28D9" },
  dark: { added: "#4ADE80", removed: "#FCA5A5", changed: "#FBBF24", moved: "#C4B5FD" },
};
const MARK_NAMES = ["added", "removed", "changed", "moved"] as const;
const MARK_OF: Record<Sign, DiffMark> = { "+": "added", "-": "removed", "~": "changed", ">": "moved" };
const CHANGE_OF: Record<PartDiff["change"], DiffMark> = { added: "added", removed: "removed", changed: "changed" };

/** Nothing is loaded and no script runs, whatever stands in the files. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * One page without a script or anything from elsewhere: each workflow as a graph with what changed, and the changes below it.
 * @param title names of both sides
 */
export async function toPage(difference: Difference, title: string): Promise<string> {
  const { workflows, others, same } = difference;
  const sections: string[] = [];
  for (const [index, diff] of workflows.entries()) sections.push(await workflowSection(diff, index));
  sections.push(...others.map((diff, index) => partSection(diff, `o${index}`, "")));
  const count = workflows.length + others.length;
  const summary = count === 0 ? `No difference in ${same} items.` : `${count} differ, ${same} are the same.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${toHtml(title)}</title>
<style>${styles()}</style>
</head>
<body>
<header>
<h1>${toHtml(title)}</h1>
<p>${summary}</p>
${workflows.length === 0 ? "" : legend()}
${count < 2 ? "" : contents(difference)}
</header>
<main>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

async function workflowSection(diff: WorkflowDiff, index: number): Promise<string> {
  const { svg, width } = await drawDiff(diff.from, diff.to, {
    colours: COLOURS,
    marks: { added: "var(--added)", removed: "var(--removed)", changed: "var(--changed)", moved: "var(--moved)" },
    prefix: `w${index}-`,
    label: `Graph of ${diff.name}: the states are listed below with what changed`,
  });
  const name = toHtml(`Graph of ${diff.name}`);
  // Fits the window as long as it can be read then, else scrolls.
  const picture = `<figure class="graph" tabindex="0" role="group" aria-label="${name}"><div style="width:${Math.round(width)}px;max-width:max(100%,${Math.round(width * 0.6)}px)">${svg}</div></figure>`;
  return partSection(diff, `w${index}`, picture);
}

function partSection(diff: PartDiff, id: string, picture: string): string {
  const entries = toEntries(diff);
  const list = entries.length === 0 ? "" : `<ul class="changes">${entries.map(toItem).join("")}</ul>`;
  return `<section id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${toMark(CHANGE_OF[diff.change])} ${toHtml(`${diff.kind} ${diff.name}`)}</h2>
${picture}${list}
</section>`;
}

function toItem({ sign, words, lines }: ChangeEntry): string {
  const mark = MARK_OF[sign];
  const values = lines.map((line) => {
    const text = `${line.sign} ${toHtml(line.text)}`;
    return line.sign === "+" ? `<ins>${text}</ins>` : line.sign === "-" ? `<del>${text}</del>` : `<span>${text}</span>`;
  });
  const before = values.length === 0 ? "" : `<pre tabindex="0">${values.join("")}</pre>`;
  return `<li><p>${toMark(mark)} <code>${toHtml(words)}</code></p>${before}</li>`;
}

function toMark(mark: DiffMark): string {
  return `<span class="mark ${mark}"><span aria-hidden="true">${DIFF_MARKS[mark].sign}</span> ${mark}</span>`;
}

function legend(): string {
  const entries = MARK_NAMES.map((mark) => {
    const { dash, sign } = DIFF_MARKS[mark];
    const stroke = dash === null ? "" : ` stroke-dasharray="${dash}"`;
    const sample = `<svg width="56" height="26" aria-hidden="true"><rect x="3" y="5" width="42" height="18" rx="6" fill="none" stroke="var(--${mark})" stroke-width="3"${stroke}/><circle cx="45" cy="9" r="8" fill="var(--${mark})"/><text x="45" y="13" font-size="12" font-weight="700" text-anchor="middle" fill="var(--canvas)">${sign}</text></svg>`;
    return `<li>${sample} ${mark}</li>`;
  });
  return `<ul class="legend" aria-label="Marks in the graphs">${entries.join("")}</ul>`;
}

function contents({ workflows, others }: Difference): string {
  const link = (id: string, { kind, name, change }: PartDiff): string =>
    `<li>${toMark(CHANGE_OF[change])} <a href="#${id}">${toHtml(`${kind} ${name}`)}</a></li>`;
  const links = [
    ...workflows.map((diff, index) => link(`w${index}`, diff)),
    ...others.map((diff, index) => link(`o${index}`, diff)),
  ];
  return `<nav aria-label="What differs"><ul>${links.join("")}</ul></nav>`;
}

/** Text in the page, in an attribute in double quotes, too. */
function toHtml(text: string): string {
  return toVisible(text).replace(
    /[&<>"']/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[sign] ?? sign,
  );
}

const COLOURS: PictureColours = {
  canvas: "var(--canvas)",
  surface: "var(--surface)",
  sunken: "var(--sunken)",
  border: "var(--border)",
  text: "var(--text)",
  muted: "var(--muted)",
  edge: "var(--edge)",
  failed: "var(--failed)",
  completed: "var(--completed)",
  kind: {
    model: "var(--kind-model)",
    tool: "var(--kind-tool)",
    memory: "var(--kind-memory)",
    human: "var(--kind-human)",
    data: "var(--kind-data)",
    flow: "var(--kind-flow)",
    child: "var(--kind-child)",
  },
};

function variables(tokens: Tokens, marks: Record<DiffMark, string>): string {
  const { background, canvas, surface, sunken, borderStrong, text, textMuted, edge, status, kind, accent } = tokens;
  const all: Record<string, string> = {
    ...{ background, canvas, surface, sunken, border: borderStrong, text, muted: textMuted, edge, accent },
    ...{ failed: status.failed.ink, completed: status.completed.ink },
    ...{ "ins-soft": status.completed.soft, "del-soft": status.failed.soft },
    ...Object.fromEntries(Object.entries(kind).map(([name, colour]) => [`kind-${name}`, colour])),
    ...marks,
  };
  return Object.entries(all)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(";");
}

function styles(): string {
  const marks = MARK_NAMES.map((mark) => `.${mark}{color:var(--${mark})}`).join("");
  return `
:root{color-scheme:light;${variables(TOKENS.light, MARKS.light)}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${variables(TOKENS.dark, MARKS.dark)}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px;max-width:1400px;background:var(--background);color:var(--text);font:15px/1.5 Inter,system-ui,sans-serif}
h1{font-size:22px;overflow-wrap:anywhere}h2{font-size:17px;margin:0 0 12px;overflow-wrap:anywhere}
a{color:var(--accent)}ul{list-style:none;margin:0;padding:0}p{margin:0}
header,section{margin-bottom:24px}
section{padding:16px;background:var(--surface);border:1px solid var(--border);border-radius:10px}
.legend{display:flex;flex-wrap:wrap;gap:20px;margin:12px 0}.legend li{display:flex;align-items:center;gap:6px}
.mark{font-weight:600;white-space:nowrap}${marks}
.graph{margin:0 0 16px;overflow:auto;max-height:80vh;border:1px solid var(--border);border-radius:8px;background:var(--canvas)}
.graph svg{display:block;width:100%;height:auto}
.changes li{padding:8px 0;border-top:1px solid var(--border)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}code{overflow-wrap:anywhere}
pre{margin:6px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--sunken);border-radius:6px;overflow:auto;max-height:60vh}
pre>*{display:block;padding:0 10px;text-decoration:none;unicode-bidi:isolate}
ins{background:var(--ins-soft)}del{background:var(--del-soft)}
@media print{
body{padding:0;max-width:none;font-size:11pt;background:#fff}section{border:0;padding:0}
.graph,pre{max-height:none;overflow:visible}.graph>div{width:100%!important;max-width:100%!important}
h2,.changes li{break-inside:avoid}h2{break-after:avoid}nav{display:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
}
