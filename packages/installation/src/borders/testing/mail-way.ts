import { setTimeout } from "node:timers/promises";
import { invite, type MailServer, type ReceivedMail, startMailServer, type TestOven } from "@oven/testing";
import { readWritten, type Written } from "./exact-json.ts";

const FROM = "OVEN <oven@example.com>";
const BEGIN = "«proposal:";
const END = ":proposal»";

/** Reviews whose title is all that their run began with, and the mails that ask for them. */
export interface MailWay {
  settings: { url: string; from: string };
  /** Makes the workflow `asks` and the rule that sends the mails. */
  make(oven: TestOven, make: (path: string, body: object) => Promise<{ id: number }>): Promise<void>;
  /** What the mail about a run says, with marks as the characters that they stand for; undefined: it was too long to be whole. */
  read(executionId: string): Promise<Written | undefined>;
  stop(): Promise<void>;
}

export async function startMailWay(): Promise<MailWay> {
  const server = await startMailServer();
  return {
    settings: { url: server.url, from: FROM },
    stop: () => server.stop(),
    async make(oven, make) {
      const ask = { src: "agent.humanReview", input: { show: {}, title: "{{ $.trigger }}" }, onDone: "done" };
      const { id: workflowId } = await make("agent-workflows", {
        ...{ name: "asks", slug: "asks" },
        definition: {
          initial: "ask",
          payloadSchema: { type: "object", additionalProperties: true },
          states: { ask: { invoke: ask }, done: { type: "final" } },
        },
      });
      await invite(oven, "reviewer@example.com", ["admin"]);
      const { body: people } = await oven.call("GET", "users");
      const reviewer = (people as { id: number; email: string }[]).find(({ email }) => email.startsWith("reviewer@")); // cast: a list of users
      await make("notification-rules", {
        name: "Asks",
        events: ["review.opened"],
        scope: { kind: "agent-workflow", workflowId },
        channel: { type: "email" },
        recipients: [{ kind: "user", userId: reviewer?.id }],
        subject: "{{ $.execution.id }}",
        text: `${BEGIN}{{ $.review.title }}${END}`,
      });
    },
    async read(executionId) {
      const mail = await mailAbout(server, executionId);
      const { body } = mail;
      const [begin, end] = [body.indexOf(BEGIN), body.indexOf(END)];
      if (end < 0) return undefined;
      const text = body.slice(begin + BEGIN.length, end);
      return readWritten(
        text.replaceAll(/⟨U\+([0-9A-F]{4,6})⟩/g, (_mark, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        ),
      );
    },
  };
}

async function mailAbout({ mails }: MailServer, executionId: string): Promise<ReceivedMail> {
  for (let tries = 0; tries < 3_000; tries++) {
    const found = mails.find(({ headers }) => headers.subject === executionId);
    if (found !== undefined) return found;
    await setTimeout(20);
  }
  throw new Error(`no mail about the run ${executionId} came`);
}
