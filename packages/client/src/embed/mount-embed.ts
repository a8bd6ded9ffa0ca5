import { chatView, type View, type ViewDeps } from "./chat-view.ts";
import { element, icon } from "./element.ts";
import type { EmbedSource } from "./embed-source.ts";
import { embedStyles } from "./embed-styles.ts";
import { embedWords } from "./embed-words.ts";
import { formView } from "./form-view.ts";

const TALK = "M4 5h16v11H9l-5 4z";
const CROSS = "M6 6l12 12M18 6L6 18";
const AFRESH = "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7";
const FOCUSABLE = "button:not(:disabled), input:not(:disabled), select, textarea, [tabindex='0']";

export interface MountOptions {
  source: EmbedSource;
  /** `bubble`: a button in a corner of the window; `inline`: in `container`. */
  mode: "bubble" | "inline";
  /** What gets the embed. */
  container: Element;
  /** Absent: the page's. */
  language?: string | undefined;
}

/**
 * Shows an embed in a shadow root of its own, so that neither its styles nor the page's reach the other.
 * @returns takes it away
 */
export async function mountEmbed({ source, mode, container, language }: MountOptions): Promise<() => void> {
  const gone = new AbortController();
  const look = await source.look();
  const words = embedWords(language ?? (document.documentElement.lang || navigator.language));
  const host = element("div", { className: "oven-embed" });
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [embedStyles(look.theme)];
  const deps: ViewDeps = { source, look, words, signal: gone.signal };
  shadow.append(mode === "bubble" ? bubble(deps, shadow) : inline(deps));
  container.append(host);
  return () => {
    gone.abort();
    host.remove();
  };
}

function inline(deps: ViewDeps): HTMLElement {
  const view = viewOf(deps);
  const panel = element("section", {
    className: `panel ${deps.look.mode}`,
    attributes: { "aria-label": deps.look.theme.title },
  });
  panel.append(head(deps, view), ...view.root.childNodes);
  return element("div", { className: "frame inline" }, panel);
}

function bubble(deps: ViewDeps, shadow: ShadowRoot): HTMLElement {
  const { look, words } = deps;
  let view: View | undefined;
  const launch = element(
    "button",
    { type: "button", className: "launch", attributes: { "aria-label": words.open, "aria-expanded": "false" } },
    icon(TALK),
  );
  const panel = element("div", {
    className: "panel",
    hidden: true,
    attributes: { role: "dialog", "aria-modal": "true", "aria-label": look.theme.title },
  });
  const toggle = (open: boolean) => {
    // What was said before is asked for when it is first looked at.
    if (view === undefined) {
      view = viewOf(deps);
      panel.append(
        head(deps, view, () => toggle(false)),
        ...view.root.childNodes,
      );
    }
    panel.hidden = !open;
    launch.setAttribute("aria-expanded", String(open));
    launch.setAttribute("aria-label", open ? words.close : words.open);
    if (open) view.focus();
    else launch.focus();
  };
  launch.addEventListener("click", () => toggle(panel.hidden !== false));
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      toggle(false);
    } else if (event.key === "Tab") stayWithin(panel, shadow, event);
  });
  return element("div", { className: `frame bubble ${look.theme.corner}` }, panel, launch);
}

function viewOf(deps: ViewDeps): View {
  return deps.look.mode === "form" ? formView(deps) : chatView(deps);
}

function head({ look, words }: Pick<ViewDeps, "look" | "words">, { restart }: View, close?: () => void): HTMLElement {
  const button = (label: string, path: string, act: () => void) =>
    element("button", { type: "button", title: label, onclick: act, attributes: { "aria-label": label } }, icon(path));
  return element(
    "header",
    {},
    element("h2", {}, look.theme.title),
    ...(restart === undefined ? [] : [button(words.again, AFRESH, () => void restart())]),
    ...(close === undefined ? [] : [button(words.close, CROSS, close)]),
  );
}

/** The Tab key goes around in the panel. */
function stayWithin(panel: HTMLElement, shadow: ShadowRoot, event: KeyboardEvent): void {
  const all = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.offsetParent !== null);
  const [first, last] = [all.at(0), all.at(-1)];
  const leaves = event.shiftKey ? shadow.activeElement === first : shadow.activeElement === last;
  if (!leaves) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
