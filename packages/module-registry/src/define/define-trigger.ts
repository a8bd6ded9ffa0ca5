import type { EventEnvelope, Json, JsonObject } from "@oven/contract";
import type { z } from "zod";
import type { ServiceMap } from "./services.ts";

/** Something that arrived: the same thing has the same key, so that it starts one run. */
export interface Arrival {
  key: string;
  payload: Json;
  /** What the run shows as its `triggerEvent`; absent: the trigger's type. */
  event?: string;
  /** Milliseconds to wait before anything is started. */
  delayMs?: number;
}

/** What a look at the clock brought. */
export interface Firing {
  arrivals: Arrival[];
  /** When to look again; null: never. */
  next: Date | null;
  /** What to remember until then; absent: what was remembered. */
  state?: JsonObject;
  /** Called once the deliveries are stored, so that their source can acknowledge them. After a throw everything is read again. */
  settle?(): Promise<void>;
}

export interface FiringContext<Config> {
  config: Config;
  triggerId: number;
  tenantId: number;
  /** When it should have been looked at. */
  dueAt: Date;
  now: Date;
  state: JsonObject;
  services: ServiceMap;
  signal: AbortSignal;
}

export interface CheckContext {
  now: Date;
  /** No two firings of a schedule come closer, in seconds. */
  minimumSeconds: number;
}

/** A kind of trigger: what its settings are, and how things arrive. */
export interface TriggerDefinition<Config extends z.ZodObject = z.ZodObject> {
  /** `schedule`, `webhook`. */
  id: string;
  title: string;
  docs: string;
  config: Config;
  /** What arrives may look like this; also what a test takes when nothing is given. */
  sample: Json;
  /** Keys that whatever arrives has, where they are always the same. */
  arriving?: readonly string[];
  /** What the schema alone cannot say. @throws OvenError INVALID_TRIGGER */
  check?(config: z.output<Config>, context: CheckContext): void;
  /** It is reached over HTTP: the server gives each one a token, which its address ends with. */
  hasToken?: boolean;
  /** Whoever fires it is answered with the run, so that several events cannot share one. */
  answersWithRun?: boolean;
  /** Fires by the clock. */
  clock?: {
    /** @returns the first instant after `after`; null: none */
    first(config: z.output<Config>, after: Date): Date | null;
    /** Called once per due instant over all processes; after a crash again, with the same keys. */
    fire(context: FiringContext<z.output<Config>>): Promise<Firing>;
    /** It asks another machine: others do not wait for it. */
    isSlow?: boolean;
  };
  /** Patterns of the events that it takes: a name, `a.b.*`, `*`. */
  events?(config: z.output<Config>): readonly string[];
  /** Which of these events it takes, by what they say; absent: all of them. */
  takes?(config: z.output<Config>, event: EventEnvelope): boolean;
}

/** Declares a type of trigger: its configuration, and how it listens. */
export function defineTrigger<Config extends z.ZodObject>(trigger: TriggerDefinition<Config>): TriggerDefinition {
  return trigger as unknown as TriggerDefinition; // cast: a config is parsed with trigger.config before it is handed over
}
