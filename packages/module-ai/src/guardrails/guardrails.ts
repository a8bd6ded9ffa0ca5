import { type Guardrail, guardrailProblem, type ModelAnswer, OvenError, SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, inArray } from "drizzle-orm";
import type { ModelRequest } from "../model/model-request.ts";
import { TenantRows, toStamps } from "../rows/tenant-rows.ts";
import { aiGuardrails } from "../tables/ai-guardrails.table.ts";
import { classify } from "./classify.ts";
import { mapAnswer, mapMessages, newestOf, textsOf, textsOfAnswer } from "./guarded-texts.ts";
import { breaks, redact, ruleProblem } from "./guardrail-rules.ts";

type GuardrailRow = typeof aiGuardrails.$inferSelect;
type Side = "input" | "output";
type Ask = (request: ModelRequest) => Promise<ModelAnswer>;

/** The guardrails that hold for one call. */
export interface Guards {
  /** Whether an answer may be changed or refused, so that none of it may be shown before it is complete. */
  holdsAnswer: boolean;
  /** @throws OvenError GUARDRAIL_BLOCKED */
  input(request: ModelRequest): Promise<{ request: ModelRequest; warnings: string[] }>;
  /** @throws OvenError GUARDRAIL_BLOCKED */
  output(answer: ModelAnswer, request: ModelRequest): Promise<ModelAnswer>;
}

export class Guardrails {
  readonly #db: Database;
  readonly #ask: Ask;

  /** @param ask how classifiers reach their model: not through guardrails */
  constructor(db: Database, ask: Ask) {
    this.#db = db;
    this.#ask = ask;
  }

  async of(tenantId: number): Promise<Guards> {
    const rows = await this.#db.orm
      .select()
      .from(aiGuardrails)
      .where(and(inArray(aiGuardrails.tenantId, [tenantId, SHARED_TENANT]), eq(aiGuardrails.enabled, true)))
      .orderBy(aiGuardrails.id);
    const on = (side: Side) => rows.filter(({ direction }) => direction === side || direction === "both");
    return {
      holdsAnswer: on("output").some(({ action }) => action !== "warn"),
      input: (request) => this.#input(on("input"), request),
      output: (answer, request) => this.#output(on("output"), answer, request),
    };
  }

  async #input(
    rows: readonly GuardrailRow[],
    given: ModelRequest,
  ): Promise<{ request: ModelRequest; warnings: string[] }> {
    const warnings: string[] = [];
    let request = given;
    for (const row of rows) {
      const { rule } = row;
      if (row.action === "redact" && (rule.kind === "keyword" || rule.kind === "pattern")) {
        const change = (text: string) => redact(rule, text);
        const { system } = request;
        request = {
          ...request,
          messages: mapMessages(request.messages, change),
          ...(system === undefined ? {} : { system: change(system) }),
        };
        continue;
      }
      if (await this.#isBroken(row, inputTexts(row, request), request)) warnings.push(found(row, "input"));
    }
    return { request, warnings };
  }

  async #output(rows: readonly GuardrailRow[], given: ModelAnswer, request: ModelRequest): Promise<ModelAnswer> {
    let answer = given;
    for (const row of rows) {
      const { rule } = row;
      if (row.action === "redact" && (rule.kind === "keyword" || rule.kind === "pattern"))
        answer = mapAnswer(answer, (text) => redact(rule, text));
      else if (await this.#isBroken(row, outputTexts(row, answer), request))
        answer = { ...answer, warnings: [...answer.warnings, found(row, "output")] };
    }
    return answer;
  }

  async #isBroken(row: GuardrailRow, texts: readonly string[], request: ModelRequest): Promise<boolean> {
    const { rule, action } = row;
    let broken: boolean;
    if (rule.kind === "classifier") {
      const text = texts.join("\n").trim();
      broken = text !== "" && rule.unwanted.includes(await classify(rule, text, request, this.#ask));
    } else broken = texts.some((text) => breaks(rule, text));
    if (broken && action === "block") throw blocked(row);
    return broken;
  }
}

/**
 * Words and patterns are looked for in all that is sent. A schema is about the newest user message alone, and a classifier
 * reads what is new: what came before it has read before.
 */
function inputTexts({ rule }: GuardrailRow, { system, messages }: ModelRequest): string[] {
  const newest = newestOf(messages);
  if (rule.kind === "classifier") return textsOf(newest);
  if (rule.kind === "schema") {
    const last = newest.findLast(({ role }) => role === "user");
    return last === undefined ? [] : [textsOf([last]).join("")];
  }
  return [...(system === undefined ? [] : [system]), ...textsOf(messages)];
}

/** A schema is about final answers: a reply that only calls tools is none. */
function outputTexts({ rule }: GuardrailRow, answer: ModelAnswer): string[] {
  if (rule.kind === "schema") return answer.toolCalls.length > 0 ? [] : [answer.text];
  return textsOfAnswer(answer);
}

function found({ name }: GuardrailRow, side: Side): string {
  return `guardrail: ${name}: found in ${side === "input" ? "what was sent" : "the answer"}`;
}

function blocked({ id, name }: GuardrailRow): OvenError {
  return new OvenError("GUARDRAIL_BLOCKED", `The guardrail ${name} does not let this through`, {
    status: 422,
    fix: "Leave out what it forbids, or ask whoever keeps the guardrails",
    details: { guardrailId: id },
  });
}

export function createGuardrailRows(db: Database): TenantRows<typeof aiGuardrails, Guardrail> {
  const { id, name, direction, action, enabled, createdAt, updatedAt } = aiGuardrails;
  return new TenantRows(db, {
    table: aiGuardrails,
    noun: "guardrail",
    fields: { id, name, direction, action, enabled, createdAt, updatedAt },
    search: [name],
    toView: (row) => ({ ...row, ...toStamps(row) }),
    problem: (row) => guardrailProblem(row) ?? ruleProblem(row),
  });
}
