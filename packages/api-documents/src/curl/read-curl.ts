import type { JsonObject } from "@oven/contract";
import type { ApiDocument, ApiOperation, ApiSignIn } from "@oven/contract/api";
import { isCredentialHeader, isCredentialQuery, isHeaderName, isSecretField } from "../credentials.ts";
import { effectOf } from "../effect.ts";
import { InputBuilder } from "../openapi/input-builder.ts";
import { nameOperation } from "../openapi/names.ts";
import { unreadable } from "../parse/unreadable.ts";
import { isShellValue, readCurlBody } from "./curl-body.ts";
import { type CurlCommand, readCurlCommand } from "./curl-command.ts";
import { bare } from "./infer-schema.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** Beside what is a credential by its name anywhere: a value that stands in a command is stored, so none may be overlooked. */
const KEY = /^(?:key|sig|signature|auth|code|session)$/i;
const LARGEST = 200_000;
/** What stands for a value in a path: `{id}`, `:id`, `<id>`, `$ID`. */
const PLACEHOLDER = /\$\{(\w+)\}|\$(\w+)|%7B(\w+)%7D|\{(\w+)\}|%3C([\w-]+)%3E|<([\w-]+)>/gi;

type Place = { kind: "path" | "query" | "header"; name: string };

/**
 * Reads a pasted curl command (of bash or of Windows' command prompt) as one operation: its values are sent where an input has none.
 * Credentials in it become a way to sign in; their values are nowhere in what is returned. Nothing is run and no file is read.
 * @throws OvenError API_DOCUMENT_UNREADABLE when it is no curl command, or is cut off
 */
export function readCurl(text: string): ApiDocument {
  if (text.length > LARGEST) throw unreadable("The command is too long", "Shorten its body.");
  const command = readCurlCommand(text);
  if (command.url === null) throw unreadable("The command has no address", "Paste the whole command.");
  const url = addressOf(command.url, command);
  const reader = new CurlReader(command, url);
  const operation = reader.read();
  return {
    kind: "curl",
    formatVersion: "",
    title: url.host,
    version: "",
    description: "",
    servers: [{ url: url.origin, description: "" }],
    signIns: reader.signIns,
    operations: [operation],
    notes: [],
  };
}

function addressOf(given: string, command: CurlCommand): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw unreadable("The address of the command is not one of http or https", "Write it as https://host/path.");
  if (url.username !== "" || url.password !== "") command.hasBasic = true;
  return url;
}

class CurlReader {
  readonly signIns: ApiSignIn[] = [];
  readonly #command: CurlCommand;
  readonly #url: URL;
  readonly #input = new InputBuilder();

  constructor(command: CurlCommand, url: URL) {
    this.#command = command;
    this.#url = url;
  }

  read(): ApiOperation {
    const command = this.#command;
    const path = this.#readPath();
    this.#readQuery();
    this.#readHeaders();
    this.#readSignIns();
    const body = readCurlBody(command);
    const method = this.#method(body !== undefined);
    const sent = body !== undefined && method !== "GET" && method !== "HEAD" ? body : undefined;
    if (body !== sent) command.notes.push(`${method} sends no body: that of the command was left out`);
    if (sent !== undefined) this.#input.addBody(sent);
    const { schema } = this.#input.toSchema();
    const title = `${method} ${path}`;
    return {
      ...{ name: nameOperation(null, title, new Set()), operationId: null, title: title.slice(0, 200) },
      ...{ description: "", tags: [], deprecated: false, method, path, serverUrl: null },
      parameters: this.#input.parameters,
      body: sent === undefined ? null : this.#input.body(sent),
      accept: this.#accept(),
      // cast: the builder makes an object
      inputSchema: schema as ApiOperation["inputSchema"],
      defaults: this.#input.defaults,
      outputSchema: null,
      ...effectOf(method, command.headers.find(([name]) => /^(?:x-)?idempotency-key$/i.test(name))?.[0] ?? null),
      signIn: this.signIns.length === 0 ? [] : [Object.fromEntries(this.signIns.map(({ name }) => [name, []]))],
      query: null,
      notes: command.notes,
      problem: command.problem ?? this.#methodProblem(),
    };
  }

  #method(hasBody: boolean): ApiOperation["method"] {
    const { method, isHead } = this.#command;
    return METHODS.find((each) => each === method) ?? (isHead ? "HEAD" : hasBody ? "POST" : "GET");
  }

  #methodProblem(): string | null {
    const { method } = this.#command;
    return method === null || METHODS.some((each) => each === method)
      ? null
      : `The method ${method.slice(0, 40)} is not known`;
  }

  #accept(): string | null {
    const given = this.#command.headers.find(([name]) => name.toLowerCase() === "accept")?.[1];
    return given ?? (this.#command.isJson ? "application/json" : null);
  }

  #readPath(): string {
    const names = new Set<string>();
    const path = this.#url.pathname
      .replace(PLACEHOLDER, (_whole, ...found: (string | undefined)[]) => {
        const name = found.slice(0, 6).find((each) => each !== undefined) ?? "value";
        names.add(name);
        return `{${name}}`;
      })
      .replace(/(?<=\/):([A-Za-z_]\w*)(?=\/|$)/g, (_whole, name: string) => {
        names.add(name);
        return `{${name}}`;
      });
    for (const name of names) this.#add({ kind: "path", name }, undefined);
    return path;
  }

  #readQuery(): void {
    const { data, isGet, query } = this.#command;
    const all = new URLSearchParams(
      [this.#url.search.slice(1), ...(isGet ? data : []), ...query].filter(Boolean).join("&"),
    );
    for (const name of new Set(all.keys())) {
      const values = all.getAll(name);
      if (isCredentialQuery(name) || isSecretField(name) || KEY.test(name)) this.#addKey("query", name);
      else this.#add({ kind: "query", name }, values.length === 1 ? values[0] : values);
    }
  }

  #readHeaders(): void {
    for (const [name, value] of this.#command.headers) {
      const lower = name.toLowerCase();
      if (lower === "content-type" || lower === "accept" || /^(?:x-)?idempotency-key$/.test(lower)) continue;
      if (lower === "authorization") this.#addAuthorization(value);
      else if (isCredentialHeader(name) || isSecretField(name)) this.#addKey("header", name);
      else if (isHeaderName(name)) this.#add({ kind: "header", name }, value);
    }
  }

  #readSignIns(): void {
    const { hasBasic, hasBearer, hasCookies, notes } = this.#command;
    if (hasBasic) this.#addSignIn("basic", { type: "basic" });
    if (hasBearer) this.#addSignIn("bearer", { type: "bearer" });
    if (hasCookies) notes.push("Cookies are left out: they belong to the sign-in of a browser");
  }

  #addAuthorization(value: string): void {
    if (/^bearer\s/i.test(value)) this.#addSignIn("bearer", { type: "bearer" });
    else if (/^basic\s/i.test(value)) this.#addSignIn("basic", { type: "basic" });
    else this.#addKey("header", "Authorization");
  }

  #addKey(place: "header" | "query", name: string): void {
    this.#addSignIn(name, { type: "api-key", in: place, name });
  }

  #addSignIn(name: string, how: ApiSignIn["how"]): void {
    if (this.signIns.some((known) => known.name === name)) return;
    this.signIns.push({ name, description: "Found in the curl command, without its value", how });
  }

  /** @param value undefined, or one that a shell would fill in: each input must give it */
  #add({ kind, name }: Place, value: string | string[] | undefined): void {
    const isGiven = value !== undefined && !isShellValue(value);
    const type: JsonObject = Array.isArray(value) ? { type: "array", items: { type: "string" } } : { type: "string" };
    this.#input.addParameter(
      {
        ...{ name, in: kind, style: kind === "query" ? "form" : "simple", explode: kind === "query" },
        ...{ allowReserved: false, json: false },
      },
      { schema: bare({ ...type, ...(isGiven ? { default: value } : {}) }), description: "", required: true },
    );
  }
}
