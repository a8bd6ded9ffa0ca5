import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";
import { startOutsideServer } from "../../../../packages/testing/src/index.ts";
import type { AcceptanceCase, ServiceAnswer } from "../task.ts";

export interface OutsideCall {
  /** `METHOD host/path?query`. */
  to: string;
  headers: Record<string, string>;
  body: Json;
}

export interface OutsideServices {
  origin: string;
  /** Answers as this case says from now on; the calls are those since then. */
  begin(services: AcceptanceCase["services"]): OutsideCall[];
  /** A definition whose calls to `https://….example.com` come here. */
  leadHere(definition: JsonObject): JsonObject;
  close(): Promise<void>;
}

/** All services under example.com, on loopback. What a case does not script answers 404. */
export async function startOutsideServices(): Promise<OutsideServices> {
  let services: AcceptanceCase["services"] = {};
  let calls: OutsideCall[] = [];
  const server = await startOutsideServer(async (request) => {
    const url = new URL(request.url);
    const place = `${request.method} ${url.pathname.slice(1)}`;
    const before = calls.filter(({ to }) => to.split("?")[0] === place).length;
    const text = await request.text();
    const to = place + url.search;
    calls.push({ to, headers: Object.fromEntries(request.headers), body: toJson(text) });
    const answer = answerAt(services?.[to] ?? services?.[place], before);
    if (answer === undefined) return Response.json({ error: `Nothing is at ${to}` }, { status: 404 });
    return Response.json(answer.body ?? {}, { status: "status" in answer ? answer.status : 200 });
  });
  return {
    origin: server.origin,
    begin(next) {
      services = next;
      calls = [];
      return calls;
    },
    leadHere: (definition) =>
      JSON.parse(
        JSON.stringify(definition).replaceAll(/https?:\/\/([a-z0-9-]+\.example\.com)/g, `${server.origin}/$1`),
      ),
    close: () => server.close(),
  };
}

function answerAt(
  answers: ServiceAnswer | readonly ServiceAnswer[] | undefined,
  before: number,
): ServiceAnswer | undefined {
  if (answers === undefined || !Array.isArray(answers)) return answers as ServiceAnswer | undefined; // cast: a list has a branch of its own
  return answers[Math.min(before, answers.length - 1)];
}

function toJson(text: string): Json {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
