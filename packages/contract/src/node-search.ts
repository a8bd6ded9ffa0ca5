/** What a search for steps looks through: a node type, or a state that the format itself has. */
export interface Findable {
  id: string;
  title: string;
  docs: string;
  /** Other words by which people look for it; the first is the name that other products give it. */
  synonyms?: readonly string[];
  /** The operation of a module: there are many of them, and few are meant. */
  isOperation: boolean;
}

/** A state that needs no node. */
export interface FormatState {
  id: "final" | "failed" | "choice" | "compound" | "parallel" | "loop";
  synonyms: readonly string[];
  /** In a line, with the keys that it is written with. */
  about: string;
}

/** The states that the format itself has, as the palette of the editor and the tools for builders offer them. */
export const FORMAT_STATES: readonly FormatState[] = [
  {
    id: "final",
    synonyms: ["finish", "output", "return", "respond", "stop"],
    about: 'An end: {"type": "final", "output": …}.',
  },
  {
    id: "failed",
    synonyms: ["error", "fail"],
    about: 'An end that fails the run: {"type": "final", "outcome": "failed"}.',
  },
  {
    id: "choice",
    synonyms: ["if", "else", "branch", "switch", "router", "route", "condition", "decision", "filter"],
    about:
      'A branch: {"always": [{"target": …, "guard": …}, {"target": …}]}. After a step write the same list as its onDone instead.',
  },
  {
    id: "compound",
    synonyms: ["container", "scope", "subgraph"],
    about: 'A group of states with one way on: {"initial": …, "states": {…}, "onDone": …}.',
  },
  {
    id: "parallel",
    synonyms: ["fork", "join", "merge", "split", "concurrent"],
    about: 'Regions side by side: {"type": "parallel", "states": {…}, "onDone": …}.',
  },
  {
    id: "loop",
    synonyms: ["for each", "foreach", "iterate", "repeat", "while", "split", "batches", "items"],
    about:
      'States that run once for each item of a list, or while a condition holds: {"loop": {"type": "forEach", "collection": "$.trigger.items", "bodyInitial": …, "bodyStates": {…}, "onDone": …}}.',
  },
];

/** How well a word of a search names an item, best first. */
const EXACT = 16;
const BEGINS = 12;
/** The first synonym is the name that other products give it. */
const FIRST_SYNONYM = 11;
const SYNONYM = 10;
const SYNONYM_BEGINS = 8;
const INSIDE = 6;
const MISTYPED = 3;
const DESCRIBED = 1;

/**
 * Items that each word of a search names: in their title or id, by a synonym, with a letter wrong, or in their description, in this
 * order. The operations of modules come last.
 */
export function searchNodes<Item extends Findable>(items: readonly Item[], query: string): Item[] {
  const sought = query.trim().toLowerCase();
  const words = sought.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [...items];
  return items
    .map((item) => ({ item, points: scoreOf(item, sought, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => Number(one.item.isOperation) - Number(other.item.isOperation) || other.points - one.points)
    .map(({ item }) => item);
}

function scoreOf(item: Findable, sought: string, words: readonly string[]): number {
  const whole = scoreOfWord(item, sought);
  if (whole >= SYNONYM_BEGINS) return whole;
  const points = words.map((word) => scoreOfWord(item, word));
  return points.includes(0) ? 0 : Math.min(...points);
}

function scoreOfWord({ title, id, synonyms = [], docs }: Findable, word: string): number {
  const name = title.toLowerCase();
  const parts = [...name.split(/[\s/]+/), id.toLowerCase().split(".").at(-1) ?? ""];
  if (name === word || id.toLowerCase() === word) return EXACT;
  if (parts.some((part) => part.startsWith(word))) return BEGINS;
  if (synonyms[0] === word) return FIRST_SYNONYM;
  if (synonyms.includes(word)) return SYNONYM;
  if (synonyms.some((synonym) => synonym.startsWith(word))) return SYNONYM_BEGINS;
  if (`${name} ${id.toLowerCase()}`.includes(word)) return INSIDE;
  if ([...parts, ...synonyms].some((part) => isMistyped(word, part))) return MISTYPED;
  return docs.toLowerCase().includes(word) ? DESCRIBED : 0;
}

/** One letter missing, too many, wrong, or two that changed places; short words must be right. */
function isMistyped(word: string, meant: string): boolean {
  if (word.length < 4 || Math.abs(word.length - meant.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at += 1;
  const [left, right] = [word.slice(at), meant.slice(at)];
  const swapped = left.length > 1 && left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return swapped || left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1);
}
