import { EmbedConnection } from "./embed-connection.ts";
import { mountEmbed } from "./mount-embed.ts";

/*
 * `<script src="https://oven.example.com/embed/v1.js" data-embed="…" async></script>`: where it stands is where `data-mode="inline"` or
 * `"form"` shows it, unless `data-container` names another place.
 */
const script = document.currentScript;
if (script instanceof HTMLScriptElement) void show(script);

async function show({ src, dataset }: HTMLScriptElement & { readonly dataset: DOMStringMap }): Promise<void> {
  const { embed, mode = "bubble", container: wanted, lang: language } = dataset;
  try {
    if (embed === undefined || embed === "") throw new Error("OVEN embed: the script needs data-embed");
    const isBubble = mode === "bubble";
    if (!isBubble && mode !== "inline" && mode !== "form")
      throw new Error(`OVEN embed ${embed}: data-mode="${mode}" is not known`);
    const container = wanted === undefined ? (isBubble ? document.body : placeOf()) : document.querySelector(wanted);
    if (container === null) throw new Error(`OVEN embed ${embed}: there is no ${wanted} on this page`);
    const source = new EmbedConnection({ server: new URL(src).origin, embed });
    await mountEmbed({ source, mode: isBubble ? "bubble" : "inline", container, language });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

/** A place beside the script. */
function placeOf(): Element {
  const place = document.createElement("div");
  script?.after(place);
  return place;
}
