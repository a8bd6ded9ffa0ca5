import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Json, type JsonObject } from "../../../packages/contract/src/index.ts";

/** A document that the server answers by, read by nothing of ours. */
export interface AnsweredDocument {
  text: string;
  root: JsonObject;
  /** What an operation answers, by `GET /orders/{id}`; absent: nothing. */
  answers: Map<string, Json>;
}

export interface AnsweringServer {
  origin: string;
  /** What was wrong with requests, each with its method and path. */
  problems: string[];
  /** How many requests came that the document describes. */
  described: number;
  close(): Promise<void>;
}

/** Some documents list the credential among the parameters of each operation; it comes as the connection signs in. */
const CREDENTIAL = /^(?:token|access_token|api_?key)$/i;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json/;

/**
 * A server on loopback that answers as documents say: document `n` is at `/documents/n`, its API below `/n`. It looks at each request by
 * the document itself: path, required parameters, credential, and the required parts of a body.
 * @param token the bearer token that must come with each request
 */
export async function startAnsweringServer(
  documents: readonly AnsweredDocument[],
  token: string,
): Promise<AnsweringServer> {
  const state = { problems: [] as string[], described: 0 };
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then((body) => {
      const url = new URL(incoming.url ?? "/", "http://localhost");
      const [, first = "", ...rest] = url.pathname.split("/");
      const given = documents[Number(first === "documents" ? rest[0] : first)];
      if (given === undefined) return void outgoing.writeHead(404).end();
      if (first === "documents")
        return void outgoing.writeHead(200, { "content-type": "application/json" }).end(given.text);
      const path = `/${rest.join("/")}`;
      const method = incoming.method ?? "GET";
      const found = findOperation(given.root, method, path);
      if (found === undefined) {
        state.problems.push(`${method} ${path}: no operation of the document`);
        return void outgoing.writeHead(404).end();
      }
      state.described++;
      const headers = new Headers(
        Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const wrong = [
        ...(headers.get("authorization") === `Bearer ${token}` ? [] : ["it is not signed in"]),
        ...problemsOf(given.root, found, { url, headers, body }),
      ];
      state.problems.push(...wrong.map((problem) => `${method} ${found.template}: ${problem}`));
      const answer = given.answers.get(`${method} ${found.template}`);
      if (answer === undefined) return void outgoing.writeHead(204).end();
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // cast: it listens on TCP
    problems: state.problems,
    get described() {
      return state.described;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

interface Found {
  template: string;
  item: JsonObject;
  operation: JsonObject;
}

/** The template with the fewest parameters that a path fits. */
function findOperation(root: JsonObject, method: string, path: string): Found | undefined {
  const paths = isObject(root.paths) ? root.paths : {};
  const fits = Object.keys(paths)
    .filter((template) => toPattern(template).test(path))
    .sort((one, other) => one.split("{").length - other.split("{").length);
  for (const template of fits) {
    const item = resolve(root, paths[template]);
    const operation = item[method.toLowerCase()];
    if (isObject(operation)) return { template, item, operation };
  }
  return undefined;
}

function toPattern(template: string): RegExp {
  const [path = ""] = template.split(/[?#]/);
  const parts = path.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]*")}$`);
}

interface Sent {
  url: URL;
  headers: Headers;
  body: string;
}

function problemsOf(root: JsonObject, { item, operation }: Found, { url, headers, body }: Sent): string[] {
  const parameters = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const missing = parameters.flatMap((given) => {
    const { name, in: where, required } = resolve(root, given);
    if (required !== true || typeof name !== "string" || CREDENTIAL.test(name)) return [];
    if (where === "query") {
      const isThere = [...url.searchParams.keys()].some((key) => key === name || key.startsWith(`${name}[`));
      return isThere ? [] : [`the parameter ${name} is missing`];
    }
    return where !== "header" || headers.has(name) ? [] : [`the header ${name} is missing`];
  });
  return [...missing, ...bodyProblems(root, resolve(root, operation.requestBody), headers, body)];
}

function bodyProblems(root: JsonObject, described: JsonObject, headers: Headers, body: string): string[] {
  const content = isObject(described.content) ? described.content : {};
  if (body === "") return described.required === true ? ["the body is missing"] : [];
  const sent = (headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const type = Object.keys(content).find((key) => [sent, "*/*"].includes(key.split(";")[0]?.trim() ?? ""));
  if (type === undefined) return [`a body of the type ${sent} is not described`];
  if (!JSON_TYPE.test(sent)) return [];
  const value: unknown = JSON.parse(body);
  const media = content[type];
  const schema = resolve(root, isObject(media) ? media.schema : undefined);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return required
    .filter((name) => typeof name === "string" && resolve(root, properties[name]).readOnly !== true)
    .filter((name) => !(isObject(value) && String(name) in value))
    .map((name) => `the body has no ${String(name)}`);
}

/** What a reference inside the document leads to. */
function resolve(root: JsonObject, given: Json | undefined): JsonObject {
  let at: Json | undefined = given;
  for (let steps = 0; steps < 20 && isObject(at) && typeof at.$ref === "string"; steps++) {
    const parts = at.$ref.replace(/^#\//, "").split("/");
    at = parts.reduce<Json | undefined>(
      (value, part) =>
        isObject(value) ? value[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
      root,
    );
  }
  return isObject(at) ? at : {};
}
