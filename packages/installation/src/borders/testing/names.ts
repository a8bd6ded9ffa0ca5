import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { installedModules } from "../../modules.ts";
import { startOutside } from "./outside.ts";

/** Names that programs trip over: those that every object has, look-alikes, signs, emptiness and length. */
const NAMES: readonly string[] = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "length",
  "then",
  "",
  " ",
  "caf\u00e9",
  "cafe\u0301",
  "漢字",
  "👩‍👩‍👧",
  "a\u202Eb",
  "a.b",
  'a"b',
  "a\\b",
  "x".repeat(200),
];

/** What became of a name in one place. */
export interface NamedOutcome {
  place: string;
  name: string;
  outcome: "works" | "refused" | string;
}

interface Place {
  place: string;
  definition(name: string, origin: string): object;
  /** Of the run's output, under which `seen` stands; absent: it is enough that the run ends. */
  seen?(output: unknown, name: string): unknown;
  expected?: unknown;
}

const done = (output: unknown) => ({ done: { type: "final", output } });
const step = (src: string, input: unknown, onDone: unknown = "done") => ({
  invoke: { src, input, retry: { maxAttempts: 1 }, onDone },
});
const own = (value: unknown, name: string) => Object.getOwnPropertyDescriptor(value, name)?.value;
/** An object with one key, also `__proto__`. */
const keyed = (name: string, value: unknown) => Object.fromEntries([[name, value]]);
const path = (name: string) => `$[${JSON.stringify(name)}]`;

const PLACES: readonly Place[] = [
  {
    place: "state",
    definition: (name) => ({
      initial: name,
      states: {
        ...keyed(name, step("core.transform", { mapping: { seen: 1 } })),
        ...done({ seen: path(`${name}_output`) }),
      },
    }),
    seen: (output) => own(own(output, "seen"), "seen"),
  },
  {
    place: "variable",
    definition: (name) => ({ context: keyed(name, 1), initial: "done", states: done({ seen: path(name) }) }),
    seen: (output) => own(output, "seen"),
  },
  {
    place: "assignment",
    definition: (name) => ({
      initial: "first",
      states: {
        first: step(
          "core.transform",
          { mapping: {} },
          { target: "done", actions: [{ type: "assign", params: { path: path(name), value: 1 } }] },
        ),
        ...done({ seen: path(name) }),
      },
    }),
    seen: (output) => own(output, "seen"),
  },
  {
    place: "key of an output",
    definition: (name) => ({ initial: "done", states: done(keyed(name, 1)) }),
    seen: own,
  },
  {
    place: "key of a mapping",
    definition: (name) => ({
      initial: "first",
      states: { first: step("core.transform", { mapping: keyed(name, 1) }), ...done({ seen: "$.first_output" }) },
    }),
    seen: (output, name) => own(own(output, "seen"), name),
  },
  {
    place: "region",
    definition: (name) => ({
      initial: "both",
      states: {
        both: {
          type: "parallel",
          states: {
            ...keyed(name, {
              initial: "work",
              states: { work: step("core.transform", { mapping: {} }, "worked"), worked: { type: "final" } },
            }),
            other: { initial: "idle", states: { idle: { type: "final" } } },
          },
          onDone: "done",
        },
        ...done({ seen: 1 }),
      },
    }),
    seen: (output) => own(output, "seen"),
  },
  {
    place: "header",
    definition: (name, origin) => ({
      initial: "first",
      states: { first: step("core.http", { url: `${origin}/give`, headers: keyed(name, "1") }), ...done({ seen: 1 }) },
    }),
    seen: (output) => own(output, "seen"),
  },
  {
    place: "parameter of an address",
    definition: (name, origin) => ({
      initial: "first",
      states: { first: step("core.http", { url: `${origin}/give`, query: keyed(name, "1") }), ...done({ seen: 1 }) },
    }),
    seen: (output) => own(output, "seen"),
  },
  {
    place: "property of the payload schema",
    definition: (name) => ({
      payloadSchema: { type: "object", properties: keyed(name, { type: "integer" }), required: [name] },
      initial: "done",
      states: done({ seen: "$.trigger" }),
    }),
    seen: (output, name) => own(own(output, "seen"), name),
  },
];

/** Puts each name in each place of a definition, and runs it: it is refused with a reason, or works like any other. */
export async function tryNames(names: readonly string[] = NAMES): Promise<NamedOutcome[]> {
  const outside = await startOutside();
  const oven = await startTestOven({
    createRuntime,
    modules: installedModules({ demo: false }),
    environment: { outboundAllow: [outside.origin] },
  });
  const outcomes: NamedOutcome[] = [];
  try {
    for (const { place, definition, seen } of PLACES)
      for (const [index, name] of names.entries()) {
        const slug = `${place.replaceAll(" ", "-")}-${index}`;
        outcomes.push({ place, name, outcome: await tryOne(oven, slug, name, definition(name, outside.origin), seen) });
      }
  } finally {
    await oven.stop();
    await outside.close();
  }
  return outcomes;
}

async function tryOne(
  oven: TestOven,
  slug: string,
  name: string,
  definition: object,
  seen: Place["seen"],
): Promise<string> {
  const made = await oven.call("POST", "agent-workflows", { name: slug, slug, definition });
  if (made.status >= 500) return `${made.status} ${JSON.stringify(made.body)}`;
  if (made.status >= 400) return reason(made.body.error);
  const run = await oven.call("POST", `agent-workflows/${slug}/execute?wait=60`, { input: keyed(name, 1) });
  if (run.status >= 500) return `${run.status} ${JSON.stringify(run.body)}`;
  if (run.status >= 400) return reason(run.body.error);
  if (run.body.status !== "completed") return reason(run.body.errorInfo, true);
  const found = seen?.(run.body.output, name);
  return found === 1
    ? "works"
    : `validates, and then is ${JSON.stringify(found)} in ${JSON.stringify(run.body.output)}`;
}

/** A refusal says what is wrong, and before a run also what to do. */
function reason(error: { code?: string; message?: string; fix?: string } | null, isRun = false): string {
  const { code = "", message = "", fix } = error ?? {};
  const isSilent = code === "" || message === "" || code.includes("INTERNAL") || (fix === undefined && !isRun);
  return isSilent ? `refused without a reason: ${code} ${message}` : "refused";
}
