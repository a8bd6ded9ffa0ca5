/// <reference path="./hoodiecrow-imap.d.ts" />
import type { AddressInfo } from "node:net";
import hoodiecrow from "hoodiecrow-imap";

export interface ImapServer {
  port: number;
  /** A mail arrives. */
  deliver(raw: string, mailbox?: string): void;
  /** UIDs of a mailbox with their flags. */
  list(mailbox?: string): { uid: number; flags: string[] }[];
  /** Somebody marks a mail as not read. */
  unsee(uid: number | undefined): void;
  /** All mails get other numbers, as after a restore. */
  renumber(): void;
  close(): Promise<void>;
}

/** Of the mailbox. */
export const IMAP_USER = "support";
/** With characters that no header carries: a mailbox takes any. */
export const IMAP_PASSWORD = "the-pässword-of-the-mailbox";

/** A mail server on this machine. */
export async function startImapServer(): Promise<ImapServer> {
  const server = hoodiecrow({
    // Without AUTH=PLAIN it takes ASCII passwords only.
    plugins: ["ID", "UIDPLUS", "MOVE", "AUTH-PLAIN"],
    users: { [IMAP_USER]: { password: IMAP_PASSWORD } },
    storage: { INBOX: { messages: [] }, "": { separator: "/", folders: { Done: { messages: [] } } } },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo; // cast: it listens on TCP
  const mailboxOf = (name: string) => server.getMailbox(name);
  return {
    port,
    deliver: (raw, mailbox = "INBOX") => server.appendMessage(mailbox, [], undefined, raw.replace(/\r?\n/g, "\r\n")),
    list: (mailbox = "INBOX") => mailboxOf(mailbox).messages.map(({ uid, flags }) => ({ uid, flags: [...flags] })),
    unsee: (uid) => {
      for (const message of mailboxOf("INBOX").messages)
        if (message.uid === uid) message.flags = message.flags.filter((flag) => flag !== "\\Seen");
    },
    renumber: () => {
      const inbox = mailboxOf("INBOX");
      inbox.uidvalidity += 1;
      inbox.messages.forEach((message, index) => {
        message.uid = index + 1;
      });
      inbox.uidnext = inbox.messages.length + 1;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
