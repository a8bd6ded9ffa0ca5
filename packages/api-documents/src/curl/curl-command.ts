import { type CurlOption, readCurlOptions, readPromptWords, readShellWords, UnclosedQuote } from "@oven/contract/api";
import { isOfConnection } from "../credentials.ts";
import { unreadable } from "../parse/unreadable.ts";

/** A field of a form with several parts; a file has no value. */
export interface CurlField {
  name: string;
  value: string | null;
}

/** What a curl command says, before it is an operation. */
export interface CurlCommand {
  url: string | null;
  method: string | null;
  headers: [name: string, value: string][];
  data: string[];
  isJson: boolean;
  query: string[];
  fields: CurlField[];
  isUpload: boolean;
  isGet: boolean;
  isHead: boolean;
  /** There is a name and password in it. */
  hasBasic: boolean;
  hasBearer: boolean;
  hasCookies: boolean;
  notes: string[];
  problem: string | null;
}

/**
 * Reads a command as it is pasted. Nothing is run, no file is read, and credentials are only seen to be there.
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function readCurlCommand(text: string): CurlCommand {
  const { words, unfilled, rest } = wordsOf(text.replace(/^\s*(?:\$|>)\s+/, ""));
  const [program = "", ...args] = words;
  if (!/^(?:.*[/\\])?curl(?:\.exe)?$/.test(program))
    throw unreadable("This is no curl command", "Paste a command that begins with curl.");
  const command: CurlCommand = {
    ...{ url: null, method: null, headers: [], data: [], isJson: false, query: [], fields: [] },
    ...{ isUpload: false, isGet: false, isHead: false, hasBasic: false, hasBearer: false, hasCookies: false },
    ...{ notes: [], problem: null },
  };
  const { options, incomplete } = readCurlOptions(args);
  for (const option of options) apply(option, command);
  if (incomplete !== null) throw unreadable(`${incomplete} lacks its value`, "Paste the whole command.");
  if (rest !== null) command.notes.push("What follows the command was left out");
  for (const name of new Set(unfilled))
    command.notes.push(`${name} is filled in by a shell, and is a value to give here`);
  return command;
}

function wordsOf(text: string) {
  try {
    return readPromptWords(text) ?? readShellWords(text);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    throw unreadable("A quote is not closed: the command is cut off", "Paste the whole command.", error);
  }
}

function apply({ name, value }: CurlOption, command: CurlCommand): void {
  switch (name) {
    case "request":
      command.method = value.toUpperCase();
      return;
    case "url":
      if (command.url !== null) command.problem ??= "The command calls several addresses: paste each by itself";
      command.url = value;
      return;
    case "header":
      readHeader(value, command);
      return;
    case "user-agent":
      command.headers.push(["User-Agent", value]);
      return;
    case "user":
      command.hasBasic = true;
      return;
    case "oauth2-bearer":
      command.hasBearer = true;
      return;
    case "cookie":
      command.hasCookies = true;
      return;
    case "get":
      command.isGet = true;
      return;
    case "head":
      command.isHead = true;
      return;
    case "upload-file":
      command.isUpload = true;
      return;
    case "insecure":
      command.notes.push("Certificates are checked, whatever -k says");
      return;
    case "proxy":
      command.notes.push("The proxy was left out: an operator sets it for all requests");
      return;
    case "config":
      command.problem ??= "The command reads its options from a file";
      return;
    default:
      applyData(name, value, command);
  }
}

function applyData(name: string, value: string, command: CurlCommand): void {
  switch (name) {
    case "data":
    case "data-ascii":
    case "data-binary":
    case "json":
      if (value.startsWith("@")) refuseFile(value.slice(1), command);
      else command.data.push(name === "data" || name === "data-ascii" ? value.replace(/[\r\n]/g, "") : value);
      command.isJson ||= name === "json";
      return;
    case "data-raw":
      command.data.push(value);
      return;
    case "data-urlencode":
      readEncoded(value, command.data, command);
      return;
    case "url-query":
      readEncoded(value, command.query, command);
      return;
    case "form":
      readField(value, command);
      return;
    case "form-string": {
      const at = value.indexOf("=");
      if (at > 0) command.fields.push({ name: value.slice(0, at), value: value.slice(at + 1) });
      return;
    }
    default:
      return;
  }
}

function refuseFile(file: string, command: CurlCommand): void {
  command.problem ??= `The body is read from the file ${file.slice(0, 100)}: paste its text instead`;
}

function readHeader(line: string, command: CurlCommand): void {
  const [, name = "", sign = "", value = ""] = /^([^:;]+)([:;])\s*(.*)$/s.exec(line.trim()) ?? [];
  const clean = name.trim();
  const lower = clean.toLowerCase();
  // `Name:` takes a header of curl's own away, `Name;` sends it empty.
  if (clean === "" || (sign === ":" && value === "")) return;
  if (lower === "cookie") command.hasCookies = true;
  else if (lower === "content-type" || lower === "accept" || !isOfConnection(lower)) {
    command.headers = command.headers.filter(([known]) => known.toLowerCase() !== lower);
    command.headers.push([clean, value]);
  }
}

/** `name=text`, `=text` or `text`; what begins with @ is a file. */
function readEncoded(value: string, into: string[], command: CurlCommand): void {
  const [, name = "", sign = "", text = ""] = /^([^=@]*)([=@]?)(.*)$/s.exec(value) ?? [];
  if (sign === "@") {
    refuseFile(text, command);
    return;
  }
  const encoded = encodeURIComponent((sign === "" ? name : text).toWellFormed()).replace(/%20/g, "+");
  into.push(sign === "" || name === "" ? encoded : `${name}=${encoded}`);
}

/** `name=text`, `name=@file` or `name=<file`, each perhaps with `;type=…` behind it. */
function readField(field: string, command: CurlCommand): void {
  const at = field.indexOf("=");
  if (at <= 0) return;
  const name = field.slice(0, at);
  const value = field.slice(at + 1).replace(/;(?:type|filename|headers|encoder)=.*$/s, "");
  if (value.startsWith("<")) refuseFile(value.slice(1), command);
  else command.fields.push({ name, value: value.startsWith("@") ? null : value.replace(/^"(.*)"$/s, "$1") });
}
