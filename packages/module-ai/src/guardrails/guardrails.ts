import { isOvenError, OvenError, SHARED_TENANT } from "@oven/contract";
import {
  type CreateGuardrail,
  type Guardrail,
  guardrailProblem,
  type ModelAnswer,
  type TriedGuardrails,
  type TryGuardrails,
} from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
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

/** Who asks, and until when. */
export type GuardedCall = Pick<ModelRequest, "caller" | "signal">;

export class Guardrails {
  readonly #db: Database;
  readonly #ask: Ask;

  /** @param ask how classifiers reach their model: not through guardrails */
  constructor(db: Database, ask: Ask) {
    this.#db = db;
    this.#ask = ask;
  }

  async of(tenantId: number): Promise<Guards> {
    const rows = await this.#enabled(tenantId);
    const on = (side: Side) => rows.filter(({ direction }) => direction === side || direction === "both");
    return {
      holdsAnswer: on("output").some(({ action }) => action !== "warn"),
      input: (request) => this.#input(on("input"), request),
      output: (answer, request) => this.#output(on("output"), answer, request),
    };
  }

  /**
   * What they would do to a text, as in a call. Classifiers ask their model.
   * @throws OvenError INVALID_REQUEST for a draft that could not be saved, and whatever a classifier's model throws
   */
  async try({ text: given, side, guardrail }: TryGuardrails, call: GuardedCall): Promise<TriedGuardrails> {
    const rows = guardrail === undefined ? await this.#on(call.caller.tenantId, side) : [toDraft(guardrail)];
    const findings: TriedGuardrails["findings"] = [];
    let text: string | null = given;
    let asked = 0;
    for (const row of rows) {
      asked += 1;
      const { name, action } = row;
      const before: string = text;
      try {
        const after =
          side === "input" ? await this.#tryInput(row, before, call) : await this.#tryOutput(row, before, call);
        text = after.text;
        if (after.warned || after.text !== before) findings.push({ name, action });
      } catch (error) {
        if (!isOvenError(error) || error.code !== "GUARDRAIL_BLOCKED") throw error;
        findings.push({ name, action });
        return { text: null, findings, asked };
      }
    }
    return { text, findings, asked };
  }

  async #tryInput(row: GuardrailRow, text: string, call: GuardedCall) {
    const asking: ModelRequest = { ...call, model: "fast", messages: [{ role: "user", content: text }] };
    const { request, warnings } = await this.#input([row], asking);
    return { text: textsOf(request.messages).join(""), warned: warnings.length > 0 };
  }

  async #tryOutput(row: GuardrailRow, text: string, call: GuardedCall) {
    const asking: ModelRequest = { ...call, model: "fast", messages: [] };
    const { message, warnings } = await this.#output([row], toAnswerOf(text), asking);
    return { text: textsOf([message]).join(""), warned: warnings.length > 0 };
  }

  async #on(tenantId: number, side: Side): Promise<GuardrailRow[]> {
    return (await this.#enabled(tenantId)).filter(({ direction }) => direction === side || direction === "both");
  }

  async #enabled(tenantId: number): Promise<GuardrailRow[]> {
    return this.#db.orm
      .select()
      .from(aiGuardrails)
      .where(and(inArray(aiGuardrails.tenantId, [tenantId, SHARED_TENANT]), eq(aiGuardrails.enabled, true)))
      .orderBy(aiGuardrails.id);
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
        answer = mapAnswer(answer, (text) => redact(rule, text), request.outputSchema);
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

/** One that is not saved. @throws OvenError INVALID_REQUEST */
function toDraft(draft: CreateGuardrail): GuardrailRow {
  const { name, direction, action, rule, enabled } = draft;
  const row = {
    id: 0,
    tenantId: 0,
    name,
    direction,
    action,
    rule,
    enabled,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
  const problem = guardrailProblem(row) ?? ruleProblem(row);
  if (problem === undefined) return row;
  throw new OvenError("INVALID_REQUEST", problem, { status: 422, fix: "Change the rule, or what is done about it" });
}

function toAnswerOf(text: string): ModelAnswer {
  return {
    text,
    message: { role: "assistant", content: text },
    toolCalls: [],
    finishReason: "stop",
    usage: { input: 0, output: 0, total: 0 },
    costMicros: 0,
    model: { providerId: "simulated", modelId: "tester", simulated: true, alias: null },
    warnings: [],
  };
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
