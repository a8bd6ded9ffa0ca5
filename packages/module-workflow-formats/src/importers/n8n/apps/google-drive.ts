import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, type AppRequest, listOf, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

const API = "https://www.googleapis.com/drive/v3/files";
const FOLDER = "application/vnd.google-apps.folder";
const FOLDER_URL =
  /https:\/\/(?:drive|docs)\.google\.com\/(?:\w+\/)?(?:u\/\d+\/)?(?:folders|file\/d|document\/d|spreadsheets\/d)\/([0-9a-zA-Z\-_]+)/;
const PAGE = 1000;

export const GOOGLE_DRIVE: App = {
  title: "Google Drive",
  credential: "googleDriveOAuth2Api",
  secret: "google-drive",
  plan: (given) => {
    const resource = String(given.or("resource", "file"));
    const operation = String(
      given.or("operation", { file: "upload", folder: "create", fileFolder: "search" }[resource] ?? ""),
    );
    if (operation === "download" && given.version < 3) throw new NoEquivalent("it downloads a file");
    if (operation === "upload" || operation === "update") throw new NoEquivalent("it sends a file");
    const known = given.version < 3 ? undefined : OPERATIONS[`${resource}:${operation}`];
    if (known === undefined) throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    return known(given);
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "fileFolder:search": search,
  "folder:create": createFolder,
  "file:createFromText": createFromText,
  "file:download": download,
};

/** Documents of Google itself are no files: n8n has them converted. */
const DOCUMENTS =
  "A document of Google itself (Docs, Sheets, Slides) fails here, where n8n has it converted: ask for `files/ID/export` with `mimeType` then. A file may have 2 MiB.";

function download(given: Given): AppPlan {
  const id = given.locator("fileId", { what: "file", pattern: FOLDER_URL });
  const options = given.group("options");
  if (options.get("googleFileConversion") !== undefined) throw new NoEquivalent("it has a document converted");
  options.skip("fileName");
  const name = options.or("binaryPropertyName", "data");
  if (typeof name !== "string" || isExpression(name)) throw new NoEquivalent("what it calls the file is computed");
  const query = { alt: "media", supportsAllDrives: true };
  const request: AppRequest = {
    method: "GET",
    url: url`https://www.googleapis.com/drive/v3/files/${id}`,
    query,
    answer: "file",
    fileName: name,
  };
  return { steps: [request], notes: [DOCUMENTS] };
}

/** Texts and expressions as one text. */
function joinAll(parts: readonly Json[]): string {
  if (!parts.some(isExpression)) return parts.join("");
  return computed(`[${parts.map(js).join(", ")}].join("")`);
}

function search(given: Given): AppPlan {
  const method = given.choice("searchMethod", "name", ["name", "query"]);
  const text = given.or("queryString", "");
  const filter = given.group("filter");
  const conditions: Json[][] = method === "name" ? [["name contains '", text, "'"]] : text === "" ? [] : [[text]];
  const folder =
    filter.get("folderId") === undefined
      ? undefined
      : filter.locator("folderId", { what: "folder", pattern: FOLDER_URL });
  if (folder !== undefined && folder !== "root") conditions.push(["'", folder, "' in parents"]);
  const drive =
    filter.get("driveId") === undefined ? undefined : filter.locator("driveId", { what: "drive", pattern: FOLDER_URL });
  const what = filter.choice("whatToSearch", "all", ["all", "files", "folders"]);
  if (what !== "all") conditions.push([`mimeType ${what === "folders" ? "=" : "!="} '${FOLDER}'`]);
  const types = filter.or("fileTypes", []);
  const isTrashed = filter.flag("includeTrashed");
  if (!isTrashed && filter.keys().length > 0) conditions.push(["trashed = false"]);
  if (!Array.isArray(types)) throw new NoEquivalent("which types of files it looks for is computed");
  const wanted = what === "folders" || types.includes("*") ? [] : types.map((type) => `mimeType = '${String(type)}'`);
  if (wanted.length > 0) conditions.push([`(${wanted.join(" or ")})`]);
  const fields = given.group("options").or("fields", []);
  if (!Array.isArray(fields)) throw new NoEquivalent("which fields it asks for is computed");
  const named = fields.length === 0 ? "id, name" : fields.includes("*") ? "*" : fields.join(", ");
  const count = limitOf(given);
  const query: JsonObject = {
    fields: `nextPageToken, files(${named})`,
    q: joinAll(conditions.flatMap((condition, index) => (index === 0 ? condition : [" and ", ...condition]))),
    includeItemsFromAllDrives: true,
    supportsAllDrives: true,
    spaces: "appDataFolder, drive",
    ...(drive === undefined || drive === "My Drive" ? { corpora: "allDrives" } : { corpora: "drive", driveId: drive }),
    pageSize: Math.min(PAGE, count ?? PAGE),
  };
  const more = count === undefined || count > PAGE ? [refuseMore("answer.nextPageToken !== undefined", PAGE)] : [];
  return { steps: [{ what: "request", method: "GET", url: API, query }, listOf("answer.files ?? []", ...more)] };
}

/** The folder that something is made in. */
function parentOf(given: Given): Json {
  const folder =
    given.get("folderId") === undefined ? "root" : given.locator("folderId", { what: "folder", pattern: FOLDER_URL });
  const chosen = given.get("driveId");
  const isOwn = typeof chosen === "object" && chosen !== null && !Array.isArray(chosen) && (chosen.value ?? "") === "";
  const drive =
    chosen === undefined || isOwn ? "My Drive" : given.locator("driveId", { what: "drive", pattern: FOLDER_URL });
  return folder !== "root" ? folder : drive === "My Drive" ? "root" : drive;
}

function createFolder(given: Given): AppPlan {
  const options = given.group("options");
  const color = options.get("folderColorRgb");
  const query = { ...(options.flag("simplifyOutput", true) ? {} : { fields: "*" }), supportsAllDrives: true };
  const body = {
    name: given.or("name", "Untitled"),
    mimeType: FOLDER,
    parents: [parentOf(given)],
    ...(color === undefined ? {} : { folderColorRgb: color }),
  };
  return { steps: [{ method: "POST", url: API, query, body }] };
}

/** A file of text is sent in two parts: what it is, and its text. */
function createFromText(given: Given): AppPlan {
  const options = given.group("options");
  if (options.or("convertToGoogleDocument", false) !== false) throw new NoEquivalent("it makes a document of the text");
  const about = { name: given.or("name", "Untitled"), parents: [parentOf(given)], mimeType: "text/plain" };
  const boundary = "text-of-the-file-begins-here";
  const body = computed(
    `["--${boundary}", "Content-Type: application/json; charset=UTF-8", "", JSON.stringify(${js(about)}), "--${boundary}", "Content-Type: text/plain; charset=UTF-8", "", String(${js(given.or("content", ""))}), "--${boundary}--", ""].join("\\r\\n")`,
  );
  return {
    steps: [
      {
        what: "request",
        method: "POST",
        url: url`https://www.googleapis.com/upload/drive/v3/files`,
        query: { uploadType: "multipart", supportsAllDrives: true },
        headers: { "Content-Type": `multipart/related; boundary=${boundary}` },
        body,
        bodyType: "text",
      },
      { code: "return { id: $json.id };" },
    ],
  };
}
