import { OvenError } from "@oven/contract";

/** `resp_7`, or `resp_7_1` for the stretch of run 7 after its first pause. The message in it has the same name: `msg_7_1`. */
export interface AnswerName {
  runId: number;
  stretch: number;
}

/** @throws OvenError NOT_FOUND for what is no such id */
export function parseResponseId(id: string): AnswerName {
  const name = parse("resp", id);
  if (name !== undefined) return name;
  throw new OvenError("NOT_FOUND", `response ${id} does not exist, or is not yours to see`, { status: 404 });
}

/** Undefined for the ids of others. */
export function parseMessageId(id: string): AnswerName | undefined {
  return parse("msg", id);
}

function parse(kind: string, id: string): AnswerName | undefined {
  const [, of, run, stretch = "0"] = /^([a-z]+)_(\d{1,15})(?:_(\d{1,9}))?$/.exec(id) ?? [];
  return of === kind && Number(run) > 0 ? { runId: Number(run), stretch: Number(stretch) } : undefined;
}
