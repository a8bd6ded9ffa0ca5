import { type AnyNode, type Expression, type Options, Parser } from "acorn";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { N8N_METHODS } from "./n8n-prelude.ts";
import { type Variable, variableIn } from "./n8n-variables.ts";

/** A place in the items of n8n: keys as texts, positions in lists as numbers. */
export type Segments = (string | number)[];

/** What a script reads of the item or the items of a node; `from` undefined: of what comes in. */
export interface Read {
  from: string | undefined;
  /** `item`: the one that belongs to the item at hand; else those that it asks for of all items. */
  which: "item" | "first" | "last" | "all" | "whether it ran";
  /** As far as it is written out; the script may go on from there. */
  segments: Segments;
}

/** What a script of n8n uses. */
export interface Script {
  reads: readonly Read[];
  /** What it reads of the installation, which variables of the run have here. */
  variables: readonly Variable[];
  /** Names and methods that n8n gives to scripts; `Date`: it asks for the time. */
  uses: ReadonlySet<string>;
}

/** Methods that n8n adds to values in expressions, and that are here as well. */
const GIVEN_METHODS = new Set(Object.keys(N8N_METHODS));

const OPTIONS: Options = { ecmaVersion: 2024, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true };

/** What JavaScript itself has that a script may use. */
const GLOBALS = new Set(
  `undefined NaN Infinity globalThis Object Array String Number Boolean Date Math JSON RegExp Map Set WeakMap Symbol BigInt Error
  TypeError RangeError SyntaxError Promise parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI
  escape unescape console arguments Reflect Uint8Array`.split(/\s+/),
);
/** What n8n gives to scripts that is here as well. */
const GIVEN = new Set(
  "$json $input $ $node $item $items items item $execution $executionId $workflow $if $ifEmpty $min $max $now $today DateTime".split(
    " ",
  ),
);
/** Of these, what comes in. */
const DATA = new Set("$json $input items item".split(" "));

/** Why something that n8n's scripts can use is not there. */
const MISSING: Record<string, string> = {
  require: "it loads a module",
  $binary: "it reads files",
  $env: "it reads all of the environment of the server",
  $vars: "it reads all variables of n8n's installation",
  $secrets: "it reads secrets",
  $getWorkflowStaticData: "it keeps data between runs",
  getWorkflowStaticData: "it keeps data between runs",
  Duration: "it calculates with dates as Luxon does",
  Interval: "it calculates with dates as Luxon does",
  luxon: "it calculates with dates as Luxon does",
  $jmespath: "it searches by JMESPath",
  $fromAI: "a model fills it in",
  $itemIndex: "it asks which of several items it is",
  $runIndex: "it asks how often it ran",
  $prevNode: "it asks which step was before it",
  fetch: "it calls another server",
  Buffer: "it works with bytes",
  crypto: "it encrypts or hashes",
  URL: "it takes an address apart",
  URLSearchParams: "it takes an address apart",
  setTimeout: "it waits",
  process: "it reads the environment of the server",
};

/** Methods that n8n adds to values in expressions, and that the step behind does not have. */
const ADDED_METHODS = new Set(
  `toDate randomItem chunk renameKeys smartJoin union difference intersection hash toTitleCase toSentenceCase
  quote replaceSpecialChars isUrl isDomain extractUrlPath
  keepFieldsContaining removeField removeFieldsContaining isBetween     
  extract diffTo diffToNow        setZone`.split(/\s+/),
);

/** One expression, as JavaScript reads it. @throws NoEquivalent */
export function parseExpression(text: string): Expression {
  const [statement, ...others] = parse(`(${text}\n)`);
  if (others.length > 0 || statement?.type !== "ExpressionStatement") throw unreadable(text);
  return statement.expression;
}

/** The body of a function. @throws NoEquivalent */
export function parseBody(text: string): readonly AnyNode[] {
  return parse(text);
}

function parse(text: string) {
  try {
    return Parser.parse(text, OPTIONS).body;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw unreadable(text);
  }
}

const unreadable = (text: string) =>
  new NoEquivalent(`its JavaScript cannot be read: ${text.trim().slice(0, 200).replaceAll("\n", " ")}`);

/** What a script reads. @throws NoEquivalent for what exists in n8n alone, or where that is not known before it runs */
export function analyse(body: readonly AnyNode[]): Script {
  const analysis = new Analysis();
  for (const node of body) analysis.declare(node);
  for (const node of body) analysis.visit(node);
  return analysis;
}

class Analysis implements Script {
  readonly reads: Read[] = [];
  readonly variables: Variable[] = [];
  readonly uses = new Set<string>();
  readonly #declared = new Set<string>();

  /** Takes the names that a script gives, wherever it does: scopes are not distinguished. */
  declare(node: AnyNode): void {
    if (node.type === "VariableDeclarator") this.#declarePattern(node.id);
    // A name that is written to without being declared is one from then on.
    if (node.type === "AssignmentExpression" && node.left.type === "Identifier") this.#declared.add(node.left.name);
    if ((node.type === "ForOfStatement" || node.type === "ForInStatement") && node.left.type === "Identifier")
      this.#declared.add(node.left.name);
    if (node.type === "CatchClause" && node.param) this.#declarePattern(node.param);
    if (
      node.type === "FunctionDeclaration" ||
      node.type === "FunctionExpression" ||
      node.type === "ArrowFunctionExpression"
    ) {
      if (node.id) this.#declared.add(node.id.name);
      for (const param of node.params) this.#declarePattern(param);
    }
    if (node.type === "ClassDeclaration" && node.id) this.#declared.add(node.id.name);
    for (const child of childrenOf(node)) this.declare(child);
  }

  #declarePattern(node: AnyNode): void {
    if (node.type === "Identifier") this.#declared.add(node.name);
    else if (node.type === "AssignmentPattern") this.#declarePattern(node.left);
    else if (node.type === "Property") this.#declarePattern(node.value);
    else for (const child of childrenOf(node)) this.#declarePattern(child);
  }

  visit(node: AnyNode): void {
    const read = this.readOf(node);
    if (read !== undefined) {
      this.reads.push({ from: read.from, which: read.which, segments: read.segments });
      for (const part of read.computed) this.visit(part);
      return;
    }
    const variable = variableOf(node, (name) => this.#declared.has(name));
    if (variable !== undefined) {
      this.variables.push(variable);
      return;
    }
    switch (node.type) {
      case "Identifier":
        this.#use(node.name);
        return;
      case "NewExpression":
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
          this.uses.add("Date");
        break;
      case "CallExpression":
        this.#checkCall(node);
        if (node.callee.type === "MemberExpression") {
          this.visit(node.callee.object);
          if (node.callee.computed) this.visit(node.callee.property);
          for (const argument of node.arguments) this.visit(argument);
          return;
        }
        break;
      case "MemberExpression":
        this.visit(node.object);
        if (node.computed) this.visit(node.property);
        return;
      case "Property":
        if (node.computed) this.visit(node.key);
        this.visit(node.value);
        return;
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) this.visit(node.key);
        if (node.value) this.visit(node.value);
        return;
      case "ImportExpression":
        throw new NoEquivalent("it loads a module");
      case "ThisExpression":
        throw new NoEquivalent("it uses `this`, which is n8n's own");
      case "LabeledStatement":
        this.visit(node.body);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        return;
      default:
    }
    for (const child of childrenOf(node)) this.visit(child);
  }

  #use(name: string): void {
    if (this.#declared.has(name) || GLOBALS.has(name)) return;
    if (!GIVEN.has(name)) {
      const reason = Object.hasOwn(MISSING, name) ? MISSING[name] : `there is no ${name.slice(0, 60)} here`;
      throw new NoEquivalent(`its JavaScript cannot be carried over: ${reason}`);
    }
    this.uses.add(name);
    if (["$", "$node", "$item", "$items"].includes(name))
      throw new NoEquivalent("which step its JavaScript reads from is computed");
    if (DATA.has(name))
      this.reads.push({ from: undefined, which: name === "$input" || name === "items" ? "all" : "item", segments: [] });
  }

  #checkCall({ callee }: AnyNode & { type: "CallExpression" }): void {
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return;
    const { name } = callee.property;
    if (GIVEN_METHODS.has(name)) this.uses.add(`.${name}`);
    if (name === "now" && isNamed(callee.object, "Date")) this.uses.add("Date");
    if (ADDED_METHODS.has(name))
      throw new NoEquivalent(`its JavaScript cannot be carried over: n8n's own method ${name} is not there`);
  }

  /** Whether a value is what a node handed on, and what of it is read. */
  readOf(node: AnyNode): (Read & { computed: AnyNode[]; isStatic: boolean }) | undefined {
    const segments: Segments = [];
    const computed: AnyNode[] = [];
    let isStatic = true;
    for (let at: AnyNode = node; ; ) {
      const root = this.#rootOf(at);
      if (root !== undefined) {
        const isList = root.which === "all" || root.which === "whether it ran";
        return { ...root, segments: isList ? [] : segments.reverse(), computed, isStatic: isStatic && !isList };
      }
      if (at.type === "ChainExpression") {
        at = at.expression;
        continue;
      }
      if (at.type !== "MemberExpression" || at.object.type === "Super") return undefined;
      const key = keyOf(at);
      if (at.optional) isStatic = false;
      if (key === undefined || key === "length") {
        segments.length = 0;
        isStatic = false;
        if (key === undefined) computed.push(at.property);
      } else segments.push(key);
      at = at.object;
    }
  }

  /** The data of an item, or the list of items, of a node. */
  #rootOf(node: AnyNode): Pick<Read, "from" | "which"> | undefined {
    if (this.#isGiven(node, "$json")) return { from: undefined, which: "item" };
    if (node.type === "MemberExpression" && keyOf(node) === "json") {
      const item = this.#itemOf(node.object);
      if (item !== undefined) return item;
    }
    if (node.type === "MemberExpression" && keyOf(node) === "isExecuted") {
      const asked = this.#nodeOf(node.object);
      if (asked?.from !== undefined) return { ...asked, which: "whether it ran" };
    }
    const isAll =
      node.type === "CallExpression" && node.callee.type === "MemberExpression" && keyOf(node.callee) === "all";
    const list = this.#isGiven(node, "items")
      ? { from: undefined }
      : isAll && node.callee.type === "MemberExpression"
        ? this.#nodeOf(node.callee.object)
        : this.#namedItems(node);
    return list === undefined ? undefined : { ...list, which: "all" };
  }

  /** `$input.item`, `$("Name").first()`, `$node["Name"]` and the like. */
  #itemOf(node: AnyNode): Pick<Read, "from" | "which"> | undefined {
    if (node.type === "ChainExpression") return this.#itemOf(node.expression);
    if (this.#isGiven(node, "item")) return { from: undefined, which: "item" };
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
      const which = keyOf(node.callee);
      const owner = which === "first" || which === "last" ? this.#nodeOf(node.callee.object) : undefined;
      return owner === undefined || (which !== "first" && which !== "last") ? undefined : { ...owner, which };
    }
    if (node.type !== "MemberExpression") return undefined;
    const key = keyOf(node);
    if (this.#isNodeMap(node.object)) return key === undefined ? undefined : { from: String(key), which: "item" };
    if (key === "item") {
      const owner = this.#nodeOf(node.object);
      return owner === undefined ? undefined : { ...owner, which: "item" };
    }
    if (key !== 0) return undefined;
    const owner = this.#isGiven(node.object, "items") ? { from: undefined } : this.#namedItems(node.object);
    return owner === undefined ? undefined : { ...owner, which: "first" };
  }

  #nodeOf(node: AnyNode): { from: string | undefined } | undefined {
    if (this.#isGiven(node, "$input")) return { from: undefined };
    if (node.type !== "CallExpression" || !this.#isGiven(node.callee, "$")) return undefined;
    const name = textIn(node.arguments[0]);
    return name === undefined ? undefined : { from: name };
  }

  /** `$node`, or `$item("0").$node` */
  #isNodeMap(node: AnyNode): boolean {
    if (this.#isGiven(node, "$node")) return true;
    if (node.type !== "MemberExpression" || keyOf(node) !== "$node" || node.object.type !== "CallExpression")
      return false;
    const [index] = node.object.arguments;
    const isFirst = index?.type === "Literal" && String(index.value) === "0";
    return isFirst && this.#isGiven(node.object.callee, "$item");
  }

  /** `$items("Name")` */
  #namedItems(node: AnyNode): { from: string } | undefined {
    if (node.type !== "CallExpression" || !this.#isGiven(node.callee, "$items")) return undefined;
    const name = textIn(node.arguments[0]);
    return name === undefined ? undefined : { from: name };
  }

  #isGiven(node: AnyNode, name: string): boolean {
    if (!isNamed(node, name) || this.#declared.has(name)) return false;
    this.uses.add(name);
    return true;
  }
}

/** What a script reads of the installation. @throws NoEquivalent where that is secret */
function variableOf(node: AnyNode, isDeclared: (name: string) => boolean): Variable | undefined {
  const keys: string[] = [];
  for (let at = node; at.type === "MemberExpression"; at = at.object) {
    const key = keyOf(at);
    if (typeof key !== "string") return undefined;
    keys.unshift(key);
    if (at.object.type === "Identifier" && !isDeclared(at.object.name)) return variableIn(at.object.name, keys);
  }
  return undefined;
}

/** An expression that is one value of the installation. @throws NoEquivalent where that is secret */
export function asVariable(expression: Expression): Variable | undefined {
  return variableOf(expression, () => false);
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

export function textIn(node: AnyNode | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  const isPlain = node?.type === "TemplateLiteral" && node.expressions.length === 0;
  return isPlain ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
}

/** The key that is written out. */
function keyOf(node: AnyNode & { type: "MemberExpression" }): string | number | undefined {
  const { property, computed } = node;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  if (property.type === "Literal" && typeof property.value === "number" && Number.isInteger(property.value))
    return property.value;
  return textIn(property);
}

/** The nodes right below one. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const isNode = (value: unknown): value is AnyNode =>
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"; // cast: looked at
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** An expression that is one value of a node, all of it written out; undefined: it computes. */
export function asRead(expression: Expression): Read | undefined {
  const read = new Analysis().readOf(expression);
  return read?.isStatic === true ? { from: read.from, which: read.which, segments: read.segments } : undefined;
}
