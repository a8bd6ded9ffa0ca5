import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  /** By lower-case name, unfolded. */
  headers: Record<string, string>;
  /** As it came over the wire. */
  raw: string;
  /** Both parts, decoded. */
  body: string;
}

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** What the next mails are answered with instead of being taken. */
  refusals: { code: number; message: string }[];
  stop(): Promise<void>;
}

const MAIL_USER = "oven";
/** What the mail server asks for. */
export const MAIL_PASSWORD = "p@ss word of mail";

/** A mail server that takes mail from whoever knows the password, and keeps it. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refusals: MailServer["refusals"] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, callback) => {
      if (username === MAIL_USER && password === MAIL_PASSWORD) callback(null, { user: username });
      else callback(new Error("wrong password"));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const refusal = refusals.shift();
        if (refusal !== undefined) {
          callback(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
          return;
        }
        const raw = Buffer.concat(chunks).toString("utf8");
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, ...readMail(raw) });
        callback();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `smtp://${MAIL_USER}:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${port}`,
    mails,
    refusals,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string): Pick<ReceivedMail, "headers" | "body"> {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { headers, body: readParts(raw.slice(end + 4)) };
}

/** Nodemailer writes text parts as they are, quoted-printable, or in base64. */
function readParts(text: string): string {
  return text
    .split(/\r\n--[^\r\n]+/)
    .map((part) => {
      const [head = "", ...rest] = part.split("\r\n\r\n");
      const content = rest.join("\r\n\r\n");
      if (/base64/i.test(head)) return Buffer.from(content, "base64").toString("utf8");
      if (!/quoted-printable/i.test(head)) return content;
      const bytes = content
        .replace(/=\r\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, "latin1").toString("utf8");
    })
    .join("\n");
}
