declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  interface Message {
    uid: number;
    flags: string[];
  }
  interface Mailbox {
    uidvalidity: number;
    uidnext: number;
    messages: Message[];
  }
  interface ImapServer {
    server: Server;
    listen(port: number, host: string, onListening: () => void): void;
    close(onClosed: () => void): void;
    getMailbox(path: string): Mailbox;
    appendMessage(mailbox: string, flags: string[], internalDate: string | undefined, raw: string): void;
  }
  export default function hoodiecrow(options: object): ImapServer;
}
