import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { N8nNode } from "../n8n-document.ts";
import type { Given } from "./app-given.ts";

/** A request to the API of an app, with n8n's expressions in its values. */
export interface AppRequest {
  /** What it is for, as a part of the step's name; absent: it hands on what the node does. */
  what?: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  query?: JsonObject;
  headers?: JsonObject;
  /** Fields, or an expression that computes all of it. */
  body?: JsonObject | string;
  bodyType?: "json" | "form" | "multipart" | "text";
  /** What its answer is; a text stands in the field `data` of what the next step takes, a file has that name. */
  answer?: "json" | "text" | "file";
  /** The name of a file, where it is another one. */
  fileName?: string;
  timeoutMs?: number;
}

/** A step of JavaScript. */
export interface AppCode {
  what?: string;
  code: string;
  /** Whether it takes all items at once and hands on a list. */
  isList?: boolean;
}

/** What goes on only where a value is true. */
export interface AppFilter {
  what: string;
  filter: string;
}

export type AppStep = AppRequest | AppCode | AppFilter;

/** What a node of an app does, as requests and steps around them; the last one hands on what the node does. */
export interface AppPlan {
  steps: readonly AppStep[];
  /** Whether it is done for the first item alone. */
  isOnce?: boolean;
  notes?: readonly string[];
}

export interface App {
  title: string;
  /** The credential that it signs in with, where a node names none. */
  credential: string;
  /** The one of OAuth 2.0, where it has both and a node chooses it. */
  oauth?: string;
  /** Name of a secret for it; `none`: it needs none. */
  secret: string;
  /** What its nodes become, where that is no request. */
  becomes?: string;
  /** The name in `ownAddress`, for an app at an address of one's own. */
  ownAddress?: string;
  /** @throws NoEquivalent */
  plan(given: Given, names: PartNames): AppPlan;
}

/** What stands for an address that is in the credential in n8n; it leads nowhere until it is filled in. */
export const ownAddress = (name: string): string => `https://${name}.invalid`;

/** The name of the step for a part of what a node does. */
export type PartNames = (what: string) => string;

/** JavaScript for what another part of the same node handed on. */
export const partJson = (name: string): string => `$(${JSON.stringify(name)}).item.json`;

/** A list out of each answer, in JavaScript; the answer is `answer`. */
export function listOf(source: string, ...before: readonly string[]): AppCode {
  return {
    code: [
      "return $input.all().flatMap((item) => {",
      "  const answer = item.json;",
      ...before.map((line) => `  ${line}`),
      `  return ${source};`,
      "});",
    ].join("\n"),
    isList: true,
  };
}

/** A list out of an answer that is a list itself, which stands in an item by its indexes; in JavaScript, where that is `answer`. */
export function listOfAll(source: string, ...before: readonly string[]): AppCode {
  const { code } = listOf(source, ...before);
  return { code: code.replace("const answer = item.json;", "const answer = Object.values(item.json);"), isList: true };
}

/** Fails a run where an answer has more pages than the one that was asked for. */
export function refuseMore(condition: string, count: number): string {
  return `if (${condition}) throw new Error("There are more than ${count} records, and this step takes one page of them");`;
}

export const ONE_PAGE = (count: number): string =>
  `n8n asks for all pages; this takes one of up to ${count} records, and the run fails where there are more.`;

/** Parts stand above the one that follows them. */
function above(position: [number, number] | undefined, rows: number): [number, number] | undefined {
  return position === undefined ? undefined : [position[0], position[1] - 110 * rows];
}

/** The steps as nodes of n8n. The last one has the name of the node. */
export function nodesOf(node: N8nNode, app: App, plan: AppPlan, nameOf: PartNames): N8nNode[] {
  const becomes = app.becomes ?? `It becomes requests to the API of ${app.title}.`;
  const about = { becomes, notes: plan.notes ?? [], of: node.name };
  return plan.steps.map((step, index) => {
    const isLast = index === plan.steps.length - 1;
    const name = isLast ? node.name : nameOf(step.what ?? String(index + 1));
    const part = { ...about, isLast, original: node.parameters };
    const spec = {
      ...node.spec,
      ...(plan.isOnce === true ? { executeOnce: true } : {}),
      position: above(node.spec.position, plan.steps.length - 1 - index),
    };
    if ("code" in step) {
      const isList = step.isList === true;
      // An empty item stands for an empty list; that is done in the code.
      const emptied = isList && spec.alwaysOutputData === true;
      const code = emptied
        ? step.code.replace(/^return (.*);$/s, "const made = $1;\nreturn made.length === 0 ? [{}] : made;")
        : step.code;
      const parameters: JsonObject = { mode: isList ? "runOnceForAllItems" : "runOnceForEachItem", jsCode: code };
      const calm = { ...spec, onError: undefined, continueOnFail: undefined };
      const own = {
        ...(isLast ? spec : calm),
        name,
        retryOnFail: false,
        ...(isList ? { alwaysOutputData: false } : {}),
      };
      return { ...node, name, type: "code", version: 2, parameters, spec: own, part };
    }
    if ("filter" in step) {
      const conditions = [
        { leftValue: step.filter, operator: { type: "boolean", operation: "true", singleValue: true } },
      ];
      const options = { caseSensitive: true, typeValidation: "strict", version: 2 };
      const parameters: JsonObject = { conditions: { options, combinator: "and", conditions } };
      const own = { ...spec, name, onError: undefined, continueOnFail: undefined, alwaysOutputData: undefined };
      return { ...node, name, type: "filter", version: 2.2, parameters, spec: own, part };
    }
    const parameters = toParameters(step, node, app);
    return { ...node, name, type: "httpRequest", version: 4.2, parameters, spec: { ...spec, name }, part };
  });
}

const CONTENT = { json: "json", form: "form-urlencoded", multipart: "multipart-form-data", text: "raw" };

function toParameters(
  { method, url, query, headers, body, bodyType, answer = "json", fileName, timeoutMs }: AppRequest,
  node: N8nNode,
  app: App,
): JsonObject {
  const kinds = Object.keys(node.spec.credentials ?? {});
  const { authentication } = node.parameters;
  const chosen = authentication === "oAuth2" ? (app.oauth ?? app.credential) : app.credential;
  const kind = authentication === "serviceAccount" ? "googleApi" : (kinds[0] ?? chosen);
  return {
    ...{ method, url },
    ...(app.secret === "none"
      ? {}
      : { authentication: "predefinedCredentialType", nodeCredentialType: kind, appSecret: app.secret }),
    ...(app.ownAddress === undefined ? {} : { ownAddress: app.ownAddress, appTitle: app.title }),
    ...(query === undefined ? {} : { sendQuery: true, queryParameters: pairs(query) }),
    ...(headers === undefined ? {} : { sendHeaders: true, headerParameters: pairs(headers) }),
    ...(body === undefined ? {} : { sendBody: true, contentType: CONTENT[bodyType ?? "json"] }),
    ...(typeof body === "string" ? (bodyType === "text" ? { body } : { specifyBody: "json", jsonBody: body }) : {}),
    ...(isObject(body) ? { bodyParameters: pairs(body) } : {}),
    options: {
      response: {
        response: { responseFormat: answer, ...(fileName === undefined ? {} : { outputPropertyName: fileName }) },
      },
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    },
  };
}

function pairs(values: JsonObject): Json {
  return { parameters: Object.entries(values).map(([name, value]) => ({ name, value })) };
}
