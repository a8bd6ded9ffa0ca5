/** JavaScript of `readXml(text, options)`: XML as the objects that xml2js makes of it, with n8n's options. */
export const READ_XML = String.raw`const readXml = (text, { attrkey = "$", charkey = "_", explicitArray = false, explicitRoot = true, ignoreAttrs = false, mergeAttrs = true, normalize = false, normalizeTags = false, trim = false }) => {
  const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  const plain = (value) => value.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined && named[name] === undefined) throw new Error("The XML has an entity that is not known: " + whole);
    return name !== undefined ? named[name] : String.fromCodePoint(hex !== undefined ? parseInt(hex, 16) : Number(decimal));
  });
  const add = (into, key, value) => {
    if (!Object.hasOwn(into, key)) Object.defineProperty(into, key, { value: explicitArray ? [value] : value, enumerable: true, writable: true, configurable: true });
    else into[key] = Array.isArray(into[key]) ? [...into[key], value] : [into[key], value];
  };
  const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE(?:[^\[>]|\[[\s\S]*?\])*>|<\/\s*([^\s>]+)\s*>|<([^\s\/>!?]+)((?:\s+[^\s=\/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)|</g;
  const open = [];
  let root;
  const close = () => {
    const { name, value, text: own, hasCdata } = open.pop();
    let said = trim ? own.trim() : own;
    if (normalize) said = said.replace(/\s{2,}/g, " ").trim();
    const isBlank = /^\s*$/.test(said) && !hasCdata;
    let made = value;
    if (!isBlank) {
      if (Object.keys(value).length === 0) made = said;
      else value[charkey] = said;
    } else if (Object.keys(value).length === 0) made = "";
    const parent = open.at(-1);
    if (parent !== undefined) add(parent.value, name, made);
    else root = explicitRoot ? { [name]: made } : made;
  };
  for (const [whole, cdata, end, begin, attributes = "", isEmpty, said] of String(text).replace(/^\uFEFF/, "").trim().matchAll(token)) {
    const top = open.at(-1);
    if (whole === "<") throw new Error("The XML is not well formed");
    if (cdata !== undefined) {
      if (top) Object.assign(top, { text: top.text + cdata, hasCdata: true });
    } else if (end !== undefined) {
      if (top === undefined || top.tag !== end) throw new Error("The XML is not well formed: " + end + " ends, and " + (top?.tag ?? "nothing") + " is open");
      close();
    } else if (begin !== undefined) {
      if (top === undefined && root !== undefined) throw new Error("The XML has several roots");
      const value = {};
      const into = mergeAttrs ? value : {};
      if (!ignoreAttrs) for (const [, key, one, other] of attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
        const given = plain(one ?? other);
        if (mergeAttrs) add(into, key, given);
        else into[key] = given;
      }
      if (!mergeAttrs && Object.keys(into).length > 0) value[attrkey] = into;
      open.push({ tag: begin, name: normalizeTags ? begin.toLowerCase() : begin, value, text: "", hasCdata: false });
      if (isEmpty) close();
    } else if (said !== undefined) {
      if (top) top.text += plain(said);
      else if (said.trim() !== "") throw new Error("The XML has text outside of its root");
    }
  }
  if (open.length > 0 || root === undefined) throw new Error("The XML is not well formed: it ends too early");
  return root;
};`;
