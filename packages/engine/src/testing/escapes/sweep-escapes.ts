import { ESCAPE_TEXTS } from "./escape-texts.ts";

/** The environment variable that some of the texts reach for, while a sweep goes on. */
const CANARY = "canary-71915530";
const COMPUTED = "50337";
const PROTOTYPES = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Promise.prototype,
];

export interface Sweep {
  /** Texts that were taken and computed. */
  ran: number;
  /** Texts that were refused, with the error. */
  refused: { text: string; error: unknown }[];
  /** What was reached, in words; empty when nothing was. */
  reached: string[];
}

/**
 * Puts every text that reaches for the machine into one field.
 * @param compute answers what came of the field, as JSON; what it throws counts as refused
 * @param calculates whether arithmetic is what the field is for, so that a product is no sign of anything
 */
export async function sweepEscapes(
  compute: (text: string) => unknown,
  { calculates = false }: { calculates?: boolean } = {},
): Promise<Sweep> {
  const owned = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);
  const sweep: Sweep = { ran: 0, refused: [], reached: [] };
  process.env.OVEN_CANARY = CANARY;
  try {
    for (const text of ESCAPE_TEXTS) {
      let said: string;
      try {
        said = JSON.stringify(await compute(text)) ?? "";
        sweep.ran++;
      } catch (error) {
        sweep.refused.push({ text, error });
        said = error instanceof Error ? error.message : String(error);
      }
      const signs = [CANARY, "[native code]", ...(calculates || text.includes(COMPUTED) ? [] : [COMPUTED])];
      for (const sign of signs) if (said.includes(sign)) sweep.reached.push(`${text} showed ${sign}`);
    }
  } finally {
    delete process.env.OVEN_CANARY;
  }
  if (Reflect.has(globalThis, "__escaped")) sweep.reached.push("globalThis.__escaped was set");
  if (Reflect.has({}, "polluted")) sweep.reached.push("Object.prototype.polluted was set");
  PROTOTYPES.forEach((prototype, at) => {
    if (Reflect.ownKeys(prototype).length !== owned[at]) sweep.reached.push("a prototype was changed");
  });
  return sweep;
}
