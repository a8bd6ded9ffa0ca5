import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { PRELUDE } from "./dify-jinja-prelude.ts";
import { type JinjaPart, partsOf } from "./dify-jinja-syntax.ts";
import { type JinjaNames, JinjaValue, pythonText } from "./dify-jinja-values.ts";

interface JinjaLoop {
  kind: "for";
  head: string;
  body: JinjaNode[];
  otherwise: JinjaNode[];
}

type JinjaNode =
  | { kind: "text" | "value" | "set"; text: string }
  | { kind: "if"; branches: { condition: string | undefined; body: JinjaNode[] }[] }
  | JinjaLoop;

/** Whether a template is more than text with variables, with what is in them. */
export function isJinjaProgram(template: string): boolean {
  if (/\{%|\{#(?!.*#\}\})/.test(template)) return true;
  return [...template.matchAll(/\{\{((?:(?!\}\}).)*)\}\}/gs)].some(
    ([, inside = ""]) => !/^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*$/.test(inside),
  );
}

class Reader {
  readonly #parts: JinjaPart[];

  constructor(template: string) {
    this.#parts = partsOf(template);
  }

  /** Up to one of the tags; the rest of that tag is handed on. */
  read(ends: readonly string[]): { body: JinjaNode[]; end: string; rest: string } {
    const body: JinjaNode[] = [];
    for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) {
      const { kind, text } = part;
      if (kind !== "tag") {
        if (text !== "" || kind === "value") body.push({ kind, text });
        continue;
      }
      const [, word = "", rest = ""] = /^(\w*)\s*(.*)$/s.exec(text) ?? [];
      if (ends.includes(word)) return { body, end: word, rest };
      if (word === "set") body.push({ kind: "set", text: rest });
      else if (word === "if") body.push(this.#choice(rest));
      else if (word === "for") body.push(this.#loop(rest));
      else throw new NoEquivalent(`its Jinja template has the tag ${word}`);
    }
    if (ends.length > 0) throw new NoEquivalent(`its Jinja template has no ${ends.at(-1) ?? "end"}`);
    return { body, end: "", rest: "" };
  }

  #choice(first: string): JinjaNode {
    const branches: { condition: string | undefined; body: JinjaNode[] }[] = [];
    for (let condition: string | undefined = first; ; ) {
      const { body, end, rest } = this.read(condition === undefined ? ["endif"] : ["elif", "else", "endif"]);
      branches.push({ condition, body });
      if (end === "endif") return { kind: "if", branches };
      condition = end === "elif" ? rest : undefined;
    }
  }

  #loop(head: string): JinjaNode {
    const { body, end } = this.read(["else", "endfor"]);
    return { kind: "for", head, body, otherwise: end === "else" ? this.read(["endfor"]).body : [] };
  }
}

/** Names that are set, where a loop inside has its own. */
function setIn(nodes: readonly JinjaNode[]): string[] {
  const names = nodes.flatMap((node): string[] => {
    if (node.kind === "set") return [/^\w+/.exec(node.text)?.[0] ?? ""];
    return node.kind === "if" ? node.branches.flatMap(({ body }) => setIn(body)) : [];
  });
  return [...new Set(names)];
}

/** A template as Python, whose result is `{"output": …}`. Its variables are inputs, called `v_` and their name. */
class Compiler {
  readonly #lines: string[] = [];
  #count = 0;

  compile(template: string, variables: readonly string[]): string {
    const { body } = new Reader(template).read([]);
    const scope = new Map(variables.map((name) => [name, `v_${name}`]));
    this.#block(body, this.#own(setIn(body), scope, 0), 0);
    return [PRELUDE, ...this.#lines, '{"output": "".join(out)}', ""].join("\n");
  }

  #line(depth: number, text: string): void {
    this.#lines.push(`${"    ".repeat(depth)}${text}`);
  }

  #fresh(what: string): string {
    this.#count += 1;
    return `${what}_${this.#count}`;
  }

  /** Variables of a scope: what is set in it is not set around it. */
  #own(names: readonly string[], around: ReadonlyMap<string, string>, depth: number): Map<string, string> {
    const scope = new Map(around);
    for (const name of names) {
      const own = this.#fresh("s");
      this.#line(depth, `${own} = ${around.get(name) ?? "MISSING"}`);
      scope.set(name, own);
    }
    return scope;
  }

  #block(nodes: readonly JinjaNode[], scope: ReadonlyMap<string, string>, depth: number): void {
    const names: JinjaNames = (name) => scope.get(name);
    if (nodes.length === 0) this.#line(depth, "pass");
    for (const node of nodes) {
      if (node.kind === "text") this.#line(depth, `out.append(${pythonText(node.text)})`);
      else if (node.kind === "value")
        this.#line(depth, `out.append(text(${new JinjaValue(node.text, names).whole()}))`);
      else if (node.kind === "set") {
        const { target, value } = new JinjaValue(node.text, names).assignment();
        this.#line(depth, `${scope.get(target) ?? target} = ${value}`);
      } else if (node.kind === "if") {
        for (const [index, { condition, body }] of node.branches.entries()) {
          const test = condition === undefined ? "" : ` holds(${new JinjaValue(condition, names).whole()})`;
          this.#line(depth, `${index === 0 ? "if" : condition === undefined ? "else" : "elif"}${test}:`);
          this.#block(body, scope, depth + 1);
        }
      } else if (node.kind === "for") this.#loop(node, scope, depth);
    }
  }

  #loop({ head, body, otherwise }: JinjaLoop, scope: ReadonlyMap<string, string>, depth: number): void {
    const [items, at, loop] = [this.#fresh("items"), this.#fresh("at"), this.#fresh("loop")];
    const { targets, list, condition } = new JinjaValue(head, (name) => scope.get(name)).loop();
    const inner = new Map(scope);
    for (const target of targets) inner.set(target, this.#fresh("i"));
    const given = targets.map((target) => inner.get(target) ?? target).join(", ");
    if (condition.length === 0) this.#line(depth, `${items} = list(each(${list}))`);
    else {
      inner.delete("loop");
      this.#line(depth, `${items} = []`);
      this.#line(depth, `for ${given} in each(${list}):`);
      this.#line(depth + 1, `if holds(${new JinjaValue(condition, (name) => inner.get(name)).whole()}):`);
      this.#line(depth + 2, `${items}.append(${targets.length > 1 ? `(${given})` : given})`);
    }
    this.#line(depth, `${at} = 0`);
    this.#line(depth, `for ${given} in ${items}:`);
    this.#line(depth + 1, `${loop} = round_of(${at}, len(${items}))`);
    this.#line(depth + 1, `${at} = ${at} + 1`);
    if (!targets.includes("loop")) inner.set("loop", loop);
    this.#block(body, this.#own(setIn(body), inner, depth + 1), depth + 1);
    if (otherwise.length === 0) return;
    this.#line(depth, `if ${at} == 0:`);
    this.#block(otherwise, this.#own(setIn(otherwise), scope, depth + 1), depth + 1);
  }
}

/**
 * A Jinja template as Python.
 * @param variables names of its variables
 * @throws NoEquivalent for what is not known of Jinja here
 */
export function compileJinja(template: string, variables: readonly string[]): string {
  return new Compiler().compile(template, variables);
}
