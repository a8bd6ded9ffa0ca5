import { DATE_NAMES, DATES } from "./n8n-dates.ts";
import { TEXT_METHODS } from "./n8n-text-methods.ts";

/** Methods that n8n adds to values in expressions: for which kinds, and what they do. */
export const N8N_METHODS: Readonly<Record<string, { kinds: readonly string[]; code: string }>> = {
  toDateTime: {
    kinds: ["String", "Number"],
    code: 'return typeof this.valueOf() === "number" ? DateTime.fromMillis(this.valueOf()) : DateTime.fromISO(this.valueOf());',
  },
  first: { kinds: ["Array"], code: "return this[0];" },
  last: { kinds: ["Array"], code: "return this.at(-1);" },
  isEmpty: { kinds: ["Array", "String", "Object"], code: "return (this.length ?? Object.keys(this).length) === 0;" },
  isNotEmpty: { kinds: ["Array", "String", "Object"], code: "return (this.length ?? Object.keys(this).length) > 0;" },
  toInt: { kinds: ["String", "Number"], code: "return Number.parseInt(this, 10);" },
  toFloat: { kinds: ["String", "Number"], code: "return Number.parseFloat(this);" },
  toNumber: { kinds: ["String", "Number", "Boolean"], code: "return Number(this);" },
  toBoolean: {
    kinds: ["String", "Number", "Boolean"],
    code: 'return !["", "0", "false", "no"].includes(String(this).toLowerCase());',
  },
  parseJson: { kinds: ["String"], code: "const { parse } = JSON; return parse(this);" },
  toJsonString: { kinds: ["Array", "Object", "String", "Number", "Boolean"], code: "return JSON.stringify(this);" },
  pluck: {
    kinds: ["Array"],
    code: "return this.map((item) => (keys.length === 1 ? item[keys[0]] : Object.fromEntries(keys.map((key) => [key, item[key]]))));",
  },
  unique: {
    kinds: ["Array"],
    code: "return this.filter((item, index) => this.findIndex((other) => same(item, other)) === index);",
  },
  removeDuplicates: {
    kinds: ["Array"],
    code: "return this.filter((item, index) => this.findIndex((other) => same(item, other)) === index);",
  },
  compact: {
    kinds: ["Array"],
    code: 'return this.filter((item) => item !== null && item !== undefined && item !== "");',
  },
  sum: { kinds: ["Array"], code: "return this.reduce((total, item) => total + Number(item), 0);" },
  average: { kinds: ["Array"], code: "return this.reduce((total, item) => total + Number(item), 0) / this.length;" },
  removeTags: { kinds: ["String"], code: 'return this.replace(/<[^>]*>?/gm, "");' },
  urlEncode: { kinds: ["String"], code: "return encodeURIComponent(this);" },
  urlDecode: { kinds: ["String"], code: "return decodeURIComponent(this);" },
  hasField: { kinds: ["Object"], code: "return Object.hasOwn(this, keys[0]);" },
  round: { kinds: ["Number"], code: "const unit = 10 ** (keys[0] ?? 0); return Math.round(this * unit) / unit;" },
  floor: { kinds: ["Number"], code: "return Math.floor(this);" },
  ceil: { kinds: ["Number"], code: "return Math.ceil(this);" },
  ...TEXT_METHODS,
};

const SAME = "const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);";
const ITEMS = `const itemsOf = (data) => {
  const all = (Array.isArray(data) ? data : [data]).map((json) => ({ json }));
  return { item: all[0], json: all[0]?.json, first: () => all[0], last: () => all.at(-1), all: () => all, isExecuted: data !== null };
};`;
const NAMES: readonly (readonly [name: string, code: string])[] = [
  ["$", "const $ = (name) => itemsOf(steps[name]);"],
  ["$items", "const $items = (name) => itemsOf(steps[name]).all();"],
  ["$node", "const $node = Object.fromEntries(Object.keys(steps).map((name) => [name, itemsOf(steps[name])]));"],
  [
    "$item",
    "const $item = () => ({ $node: Object.fromEntries(Object.keys(steps).map((name) => [name, itemsOf(steps[name])])) });",
  ],
  ["$if", "const $if = (test, yes, no) => (test ? yes : no);"],
  [
    "$ifEmpty",
    'const $ifEmpty = (value, otherwise) => (value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0) ? otherwise : value);',
  ],
  ["$min", "const $min = (...numbers) => Math.min(...numbers);"],
  ["$max", "const $max = (...numbers) => Math.max(...numbers);"],
  [
    "Date",
    "const Date = class extends globalThis.Date {\n  constructor(...given) { super(...(given.length === 0 ? [now] : given)); }\n  static now() { return globalThis.Date.parse(now); }\n};",
  ],
];
const ITEM_NAMES = new Set(["$input", "items", "item", "$", "$items", "$item", "$node"]);

/** Whether a script calculates with dates as n8n's scripts can. */
export function usesDates(uses: ReadonlySet<string>): boolean {
  return ["$now", "$today", "DateTime", ".toDateTime"].some((name) => uses.has(name));
}

interface PreludeOptions {
  /** Whether all items stand in `all`; else the data of one is in `$json`. */
  list: boolean;
  /** Whether `item` is the data of the item, not the item. */
  itemIsData: boolean;
}

/** What n8n gives to scripts, as far as one uses it: JavaScript that stands before it. Its inputs are `$json`, `steps` and `now`. */
export function preludeFor(uses: ReadonlySet<string>, { list, itemIsData }: PreludeOptions): string[] {
  const given = list ? "all" : "$json";
  const incoming: readonly (readonly [name: string, code: string])[] = [
    ["$input", `const $input = itemsOf(${given});`],
    ["items", `const items = itemsOf(${given}).all();`],
    ["item", itemIsData ? "const item = $json;" : `const item = itemsOf(${given}).item;`],
  ];
  const dates = usesDates(uses)
    ? [DATES, ...DATE_NAMES.filter(([name]) => uses.has(name)).map(([, code]) => code)]
    : [];
  const methods = Object.entries(N8N_METHODS).filter(([name]) => uses.has(`.${name}`));
  return [
    ...dates,
    ...([...uses].some((name) => ITEM_NAMES.has(name)) ? [ITEMS] : []),
    ...[...incoming, ...NAMES].filter(([name]) => uses.has(name)).map(([, code]) => code),
    ...(uses.has(".unique") || uses.has(".removeDuplicates") ? [SAME] : []),
    ...methods.flatMap(([name, { kinds, code }]) =>
      kinds.map(
        (kind) =>
          `Object.defineProperty(${kind}.prototype, "${name}", { configurable: true, writable: true, value(...keys) { ${code} } });`,
      ),
    ),
  ];
}
