import type { AnyNode } from "acorn";
import { orReason } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";
import { childrenOf, parseBody } from "./n8n-script.ts";

const CODE = new Set(["code", "function", "functionItem"]);

export function isCode({ type }: N8nNode): boolean {
  return CODE.has(type);
}

/** The JavaScript of a node; undefined: it is in another language. */
export function codeOf({ type, parameters }: N8nNode): string | undefined {
  const { language = "javaScript", jsCode, functionCode } = parameters;
  const text = type === "code" ? jsCode : functionCode;
  return language === "javaScript" && typeof text === "string" ? text : undefined;
}

/** Whether its JavaScript surely hands on one item where one comes in. */
export function givesOneItem(node: N8nNode): boolean {
  if (node.type === "functionItem" || node.parameters.mode === "runOnceForEachItem") return true;
  const code = codeOf(node);
  const parsed = orReason(() => parseBody(code ?? ""));
  if (!("value" in parsed)) return true;
  const returned = parsed.value.flatMap(returnsIn);
  return returned.length > 0 && returned.every((value) => value !== null && isOne(value));
}

/** What is returned, without what inner functions return. */
function returnsIn(node: AnyNode): (AnyNode | null)[] {
  if (/Function|^ArrowFunction|^Class/.test(node.type)) return [];
  if (node.type === "ReturnStatement") return [node.argument ?? null];
  return childrenOf(node).flatMap(returnsIn);
}

function isOne(value: AnyNode): boolean {
  if (value.type === "ObjectExpression") return true;
  if (value.type === "ArrayExpression")
    return value.elements.length === 1 && value.elements[0]?.type !== "SpreadElement";
  return isGivenList(value) || isMapped(value);
}

/** `items`, or `$input.all()` */
function isGivenList(value: AnyNode): boolean {
  if (value.type === "Identifier") return value.name === "items";
  if (value.type !== "CallExpression" || value.callee.type !== "MemberExpression") return false;
  const { object, property } = value.callee;
  return (
    object.type === "Identifier" &&
    object.name === "$input" &&
    property.type === "Identifier" &&
    property.name === "all"
  );
}

/** As many as came in. */
function isMapped(value: AnyNode): boolean {
  if (value.type !== "CallExpression" || value.callee.type !== "MemberExpression") return false;
  const { object, property } = value.callee;
  return property.type === "Identifier" && property.name === "map" && isGivenList(object);
}
