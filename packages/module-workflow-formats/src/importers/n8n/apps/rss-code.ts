/** Names of the characters from 160 to 255 in HTML, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** Other characters that HTML has names for, as text has them. */
const OTHERS =
  "amp& lt< gt> quot\" apos' OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 Yuml\u0178 fnof\u0192 circ\u02c6 tilde\u02dc ensp\u2002 emsp\u2003 thinsp\u2009 zwnj\u200c zwj\u200d lrm\u200e rlm\u200f ndash\u2013 mdash\u2014 lsquo\u2018 rsquo\u2019 sbquo\u201a ldquo\u201c rdquo\u201d bdquo\u201e dagger\u2020 Dagger\u2021 bull\u2022 hellip\u2026 permil\u2030 prime\u2032 Prime\u2033 lsaquo\u2039 rsaquo\u203a oline\u203e frasl\u2044 euro\u20ac trade\u2122 larr\u2190 uarr\u2191 rarr\u2192 darr\u2193 harr\u2194 minus\u2212 infin\u221e asymp\u2248 ne\u2260 le\u2264 ge\u2265";

/** What numbers from 128 to 159 stand for in HTML: the characters of Windows-1252. */
const WINDOWS =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** A text in JavaScript of visible characters alone: others would pass for a trick. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JavaScript of `snippetOf(html)`: HTML as text, without its tags, with a new line where a block begins or ends. */
const SNIPPET = String.raw`const NAMED = new Map([
  ...${quoted(LATIN)}.split(" ").map((name, index) => [name, String.fromCodePoint(160 + index)]),
  ...${quoted(OTHERS)}.split(" ").map((given) => [given.match(/^\w+/)[0], given.replace(/^\w+/, "")]),
]);
const charOf = (number) => {
  if (number >= 128 && number < 160) return ${quoted(WINDOWS)}[number - 128];
  return number === 0 || number > 0x10ffff || (number >= 0xd800 && number < 0xe000) ? "\ufffd" : String.fromCodePoint(number);
};
const snippetOf = (html) => html
  .replace(/([^\n])<\/?(?:h|br|p|ul|ol|li|blockquote|section|table|tr|div)[^\r\u2028\u2029]*?>([^\n])/g, "$1\n$2")
  .replace(/<[^\r\u2028\u2029]*?>/g, "")
  .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name !== undefined ? NAMED.get(name) ?? whole : charOf(hex !== undefined ? parseInt(hex, 16) : Number(decimal)))
  .trim();`;

/** JavaScript of `contentOf(value)`: the text of an element, or its elements as XML in a `div`. */
const CONTENT = `const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const xmlOf = (name, value) => {
  const { $: attributes = {}, _: said = "", ...children } = typeof value === "string" ? { _: value } : value;
  const given = Object.entries(attributes).map(([key, text]) => " " + key + '="' + escaped(text).replace(/"/g, "&quot;") + '"').join("");
  const inner = escaped(said).replace(/>/g, "&gt;") + Object.entries(children).flatMap(([key, list]) => list.map((one) => xmlOf(key, one))).join("");
  return "<" + name + given + (inner === "" ? "/>" : ">" + inner + "</" + name + ">");
};
const textIn = (value) => (typeof value?._ === "string" ? value._ : value);
const contentOf = (value) => (typeof textIn(value) === "string" ? textIn(value) : xmlOf("div", value));`;

/** What an item of RSS has, and the field that it is handed on in; of two for one field the later one counts. */
const ITEM_FIELDS = [
  ...[
    ["author", "creator"],
    ["dc:creator", "creator"],
    ["dc:date", "date"],
    ["dc:language", "language"],
    ["dc:rights", "rights"],
    ["dc:source", "source"],
    ["dc:title", "title"],
  ],
  ...["title", "link", "pubDate", "author", "summary", "content:encoded", "dc:creator", "dc:date", "comments"].map(
    (name) => [name, name],
  ),
];

const PODCAST_FIELDS = "author subtitle summary explicit duration image episode season keywords episodeType".split(" ");

/**
 * JavaScript of `feedItems(text)`: the entries of a feed (RSS 0.9, 1.0 and 2.0, Atom) with the fields that n8n gives
 * them, which are those of rss-parser 3.13. It takes `readXml`, and fails where the text is no feed.
 */
export const READ_FEED = `${SNIPPET}
${CONTENT}
const withIsoDate = (item) => {
  const said = item.pubDate || item.date;
  const date = new Date(typeof said === "string" ? said.trim() : NaN);
  return Number.isNaN(date.getTime()) ? item : { ...item, isoDate: date.toISOString() };
};
const copied = (from, fields) => {
  const item = {};
  for (const [name, field] of fields) if (Array.isArray(from[name])) item[field] = textIn(from[name][0]);
  return item;
};
const rssItem = (entry) => {
  const item = copied(entry, ${JSON.stringify(ITEM_FIELDS)});
  const encoded = item["content:encoded"];
  if (encoded && typeof encoded === "string") item["content:encodedSnippet"] = snippetOf(encoded);
  if (entry.enclosure) item.enclosure = entry.enclosure[0].$;
  if (entry.description) {
    item.content = contentOf(entry.description[0]);
    item.contentSnippet = snippetOf(item.content);
  }
  if (entry.guid) item.guid = entry.guid[0]._ || entry.guid[0];
  if (entry.$?.["rdf:about"]) item["rdf:about"] = entry.$["rdf:about"];
  if (entry.category) item.categories = entry.category;
  return withIsoDate(item);
};
const podcastOf = (entry) => {
  const podcast = copied(entry, ${JSON.stringify(PODCAST_FIELDS.map((name) => [`itunes:${name}`, name]))});
  const image = entry["itunes:image"]?.[0].$?.href;
  return image ? { ...podcast, image } : podcast;
};
const dateOf = (given) => {
  const date = new Date(given);
  if (Number.isNaN(date.getTime())) throw new Error("The feed has a date that is none: " + given);
  return date.toISOString();
};
const atomItem = (entry) => {
  const item = {};
  const title = entry.title?.[0]?._ || entry.title?.[0];
  if (title) item.title = title;
  if (entry.link) item.link = (entry.link.find(({ $ }) => $?.rel === "alternate") ?? entry.link[0]).$?.href;
  const date = [entry.published?.[0], entry.updated?.[0]].find((given) => typeof given === "string" && given !== "");
  if (date !== undefined) item.pubDate = dateOf(date);
  const author = entry.author?.[0].name?.[0];
  if (author !== undefined) item.author = author;
  if (entry.content) {
    item.content = contentOf(entry.content[0]);
    item.contentSnippet = snippetOf(item.content);
  }
  if (entry.summary) item.summary = contentOf(entry.summary[0]);
  if (entry.id) item.id = entry.id[0];
  return withIsoDate(item);
};
const feedItems = (text) => {
  const { feed, rss, "rdf:RDF": rdf } = readXml(text, { explicitArray: true, mergeAttrs: false });
  if (feed !== undefined) return (feed.entry ?? []).map(atomItem);
  const version = rss?.$?.version ?? "";
  const isPlain = /^2|0\\.9/.test(version);
  if (!isPlain && rdf === undefined) throw new Error("Feed not recognized as RSS 1 or 2.");
  const channel = (isPlain ? rss : rdf).channel?.[0];
  if (channel === undefined) throw new Error("The feed has no channel");
  const entries = (isPlain ? channel : rdf).item ?? [];
  const hasPodcasts = version.startsWith("2") && rss.$["xmlns:itunes"] !== undefined;
  return entries.map((entry) => (hasPodcasts ? { ...rssItem(entry), itunes: podcastOf(entry) } : rssItem(entry)));
};`;
