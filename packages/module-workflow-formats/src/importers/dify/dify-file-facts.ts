/** What list operators can ask of a file, each a text but for `size`. */
export const FILE_TEXTS = new Set(["name", "extension", "mime_type", "url"]);
/** Of these there are a few words only, and a condition names a list of them. */
export const FILE_WORDS = new Set(["type", "transfer_method"]);

/**
 * JavaScript with `fact(key, file)`, which says of a file what Dify's variables of files say. Of a file at an address it knows what the address
 * says: Dify asks its host, too.
 */
export const FILE_FACTS = `const ENDINGS = {
  image: ["jpg", "jpeg", "png", "webp", "gif", "svg"],
  video: ["mp4", "mov", "mpeg", "webm"],
  audio: ["mp3", "m4a", "wav", "amr", "mpga"],
  document: ["txt", "markdown", "md", "mdx", "pdf", "html", "htm", "xlsx", "xls", "vtt", "properties", "doc", "docx", "csv", "eml", "msg", "ppt", "pptx", "xml", "epub"],
};
const MEDIA = {
  jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif", svg: "image/svg+xml",
  mp4: "video/mp4", mov: "video/quicktime", webm: "video/webm", mp3: "audio/mpeg", wav: "audio/x-wav",
  txt: "text/plain", md: "text/markdown", html: "text/html", htm: "text/html", csv: "text/csv", xml: "text/xml", pdf: "application/pdf", json: "application/json",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", doc: "application/msword",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xls: "application/vnd.ms-excel",
};
const storedOf = (file) => (typeof file === "string" ? undefined : file.$blob === undefined ? file.blob : file);
const dataOf = (file) => (typeof file === "string" ? /^data:([^,]*),/.exec(file) : null);
const isAddress = (file) => typeof file === "string" && dataOf(file) === null;
const declaredOf = (file) => {
  const said = typeof file === "string" ? (dataOf(file) ?? ["", ""])[1] : (file.contentType ?? (storedOf(file) ?? {}).mediaType ?? "");
  return said.split(";")[0].trim().toLowerCase();
};
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return text;
  }
};
const nameOf = (file) => {
  if (typeof file !== "string") return file.filename ?? "";
  if (!isAddress(file)) return "";
  const path = file.replace(/^[a-z]+:\\/\\/[^/?#]*/i, "").split(/[?#]/)[0];
  return decoded(path.slice(path.lastIndexOf("/") + 1));
};
const endingOf = (file) => {
  const name = nameOf(file);
  const at = name.lastIndexOf(".");
  if (at > 0) return name.slice(at + 1).toLowerCase();
  const declared = declaredOf(file);
  return Object.keys(MEDIA).find((ending) => MEDIA[ending] === declared) ?? "";
};
const typeOf = (file) => {
  const ending = endingOf(file);
  const found = Object.keys(ENDINGS).find((type) => ENDINGS[type].includes(ending));
  if (found !== undefined) return found;
  const declared = declaredOf(file);
  return ["image", "video", "audio"].find((type) => declared.includes(type)) ?? (/text|pdf/.test(declared) ? "document" : "custom");
};
const sizeOf = (file) => {
  const stored = storedOf(file);
  if (stored !== undefined) return stored.bytes;
  if (isAddress(file)) throw new Error("How large a file at an address is, is not known: " + file.slice(0, 200));
  const text = typeof file === "string" ? file.slice(file.indexOf(",") + 1) : file.base64;
  if (typeof file === "string" && !/;base64$/.test(dataOf(file)[1])) return decoded(text).length;
  return Math.floor((text.replace(/=+$/, "").length * 3) / 4);
};
const FACTS = {
  name: nameOf,
  extension: (file) => (endingOf(file) === "" ? "" : "." + endingOf(file)),
  mime_type: (file) => declaredOf(file) || (MEDIA[endingOf(file)] ?? ""),
  url: (file) => (isAddress(file) ? file : ""),
  type: typeOf,
  transfer_method: (file) => (isAddress(file) ? "remote_url" : "local_file"),
  size: sizeOf,
};
const fact = (key, file) => FACTS[key](file);`;
