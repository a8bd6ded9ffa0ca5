import type { Json, JsonObject } from "../../../packages/contract/src/index.ts";

export type Difficulty = "easy" | "medium" | "hard";

/** What a person wants of the builder, and how it is found out whether they got it. */
export interface BenchTask {
  id: string;
  difficulty: Difficulty;
  /** What the person writes. It says all that the cases look at: fields, addresses, names of outcomes. */
  say: string;
  /** Of a repair: what is published, and a run of it that fails or does the wrong thing. */
  repair?: { published: JsonObject; run: Omit<AcceptanceCase, "expect"> };
  /** A definition that passes. */
  reference: JsonObject;
  /** Not shown to the model. */
  cases: readonly AcceptanceCase[];
}

export type TaskKind = "build" | "repair";

export const kindOf = ({ repair }: BenchTask): TaskKind => (repair === undefined ? "build" : "repair");

/** One real run of the draft: models, services, people and events are scripted, nothing else. */
export interface AcceptanceCase {
  name: string;
  input: JsonObject;
  /** What models answer, by the names of fields that they are asked for. The first text is what is said without a schema. */
  facts?: JsonObject;
  /** More facts where the prompt has this text. */
  factsWhere?: Record<string, JsonObject>;
  /** What services answer, by `METHOD host/path`; a list is one answer after the other, the last one again and again. */
  services?: Record<string, ServiceAnswer | readonly ServiceAnswer[]>;
  /** What people decide, in order. */
  decisions?: readonly ScriptedDecision[];
  /** Sent one after the other when the run waits for events. */
  events?: readonly ScriptedEvent[];
  /** Nothing comes in time: durations of the definition are shortened, all by the same factor. */
  late?: true;
  /** Rows that tables have at the start. */
  rows?: Record<string, readonly JsonObject[]>;
  expect: CaseExpectation;
}

/** A status with a body, or the body of an answer with the status 200. */
export type ServiceAnswer = { status: number; body?: Json } | { body: Json };

export interface ScriptedDecision {
  action: "approve" | "edit" | "reject" | "submit";
  data?: Json;
  reason?: string;
}

export interface ScriptedEvent {
  event: string;
  payload?: JsonObject;
  correlation?: string | number;
}

export interface CaseExpectation {
  status?: "completed" | "failed";
  outcome?: string;
  /** Members that the output must have, or the whole of it where it is no object. */
  output?: Json;
  /** All calls to services, whatever their order. What is left out of a body may be anything. */
  calls?: readonly ExpectedCall[];
  /** How many times people were asked. */
  asked?: number;
  /** What reviewers must have been shown somewhere. */
  shown?: readonly string[];
  /** All rows of tables at the end, by parts of their values, in any order. */
  rows?: Record<string, readonly JsonObject[]>;
  /** How long the run waited for an event at most, in hours from its start. */
  waitsHours?: number;
}

export interface ExpectedCall {
  /** `METHOD host/path?query`. */
  to: string;
  body?: Json;
  /** Header → value. */
  headers?: Record<string, string>;
  /** Texts that the body has anywhere. */
  says?: readonly string[];
}
