import { createHash } from "node:crypto";
import { TEXT_SAMPLES } from "@oven/contract/text/testing";
import { expect, it } from "vitest";
import type { AttachmentLimits, AttachmentsOf } from "./keep-attachments.ts";
import { readMail } from "./read-mail.ts";

const written: { mediaType: string; text: string; item: string | null }[] = [];
const keeping = (limits: Partial<AttachmentLimits> = {}): AttachmentsOf => ({
  tenantId: 1,
  triggerId: 3,
  key: "imap:1:7",
  limits: { maxAttachments: 20, maxAttachmentBytes: 1_000, ...limits },
  blobs: {
    write: async ({ item }, mediaType, bytes, summary = "") => {
      written.push({ mediaType, text: Buffer.from(bytes).toString(), item });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { $blob: written.length, mediaType, bytes: bytes.byteLength, sha256, summary };
    },
  },
});

const MAIL = `From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>
To: Team: ada@example.com, bob@example.com;
Cc: "Carol, C." <carol@example.com>
Subject: =?utf-8?b?R3LDvMOfZQ==?=
Reply-To: answers@example.com
References: <1@example.com>
 <2@example.com>
Received: from a by b
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--x
Content-Type: text/html

<b>Hello</b>
--x
Content-Type: application/pdf; name=invoice.pdf
Content-Disposition: attachment; filename=invoice.pdf
Content-Transfer-Encoding: base64

aGVsbG8=
--x--
`.replaceAll("\n", "\r\n");

it("reads addresses, texts in their encoding, and keeps what is attached apart", async () => {
  const source = Buffer.from(MAIL);
  const read = await readMail(source, { mailbox: "INBOX", uid: 7, size: source.byteLength }, keeping());
  expect(read).toMatchObject({
    from: [{ address: "juergen@example.com", name: "Jürgen" }],
    to: [{ address: "ada@example.com" }, { address: "bob@example.com" }],
    cc: [{ address: "carol@example.com", name: "Carol, C." }],
    subject: "Grüße",
    text: expect.stringContaining("Grüße"),
    html: expect.stringContaining("<b>Hello</b>"),
    date: null,
    headers: { "reply-to": "answers@example.com", references: "<1@example.com> <2@example.com>" },
    attachments: [
      {
        filename: "invoice.pdf",
        contentType: "application/pdf",
        sizeBytes: 5,
        cid: null,
        inline: false,
        blob: { mediaType: "application/pdf", bytes: 5, summary: "invoice.pdf" },
      },
    ],
    uid: 7,
  });
  expect(Object.keys(read.headers ?? {})).toEqual(["reply-to", "references"]);
  expect(read).not.toHaveProperty("truncated");
});

it("says when a mail was too large to be fetched as a whole", async () => {
  const read = await readMail(
    Buffer.from(MAIL.slice(0, 500)),
    { mailbox: "INBOX", uid: 7, size: MAIL.length },
    keeping(),
  );
  expect(read).toMatchObject({ truncated: true, subject: "Grüße" });
});

const attached = (name: string, content: string, type = "text/csv") => `--x
Content-Type: ${type}; name=${name}
Content-Disposition: attachment; filename=${name}

${content}
`;
const mailWith = (...parts: string[]) =>
  Buffer.from(
    `From: ada@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n${parts.join("")}--x--\n`.replaceAll(
      "\n",
      "\r\n",
    ),
  );
const attachmentsOf = async (source: Buffer, limits: Partial<AttachmentLimits> = {}, size = source.byteLength) =>
  (await readMail(source, { mailbox: "INBOX", uid: 7, size }, keeping(limits))).attachments;

it.each(TEXT_SAMPLES)("keeps with an attached text that it is in $charset", async ({ charset }) => {
  const attachments = await attachmentsOf(mailWith(attached("list.csv", "x", `text/csv; charset=${charset}`)));
  const known = new TextDecoder(charset).encoding;
  expect(attachments).toMatchObject([{ contentType: "text/csv", blob: { mediaType: `text/csv; charset=${known}` } }]);
});

it("keeps no more attachments than it may, no larger ones, and says why", async () => {
  written.length = 0;
  const source = mailWith(attached("a.csv", "1"), attached("b.csv", "x".repeat(50)), attached("c.csv", "3"));
  expect(await attachmentsOf(source, { maxAttachments: 2, maxAttachmentBytes: 49 })).toMatchObject([
    { filename: "a.csv", blob: { mediaType: "text/csv" } },
    { filename: "b.csv", sizeBytes: 50, skipped: "It is larger than 49 bytes" },
    { filename: "c.csv", skipped: "Only 2 attachments of a mail are kept" },
  ]);
  expect(written).toEqual([{ mediaType: "text/csv", text: "1", item: "3:imap:1:7" }]);
});

it("skips an attachment that was cut off", async () => {
  const source = mailWith(attached("whole.csv", "1"), attached("cut.csv", "2".repeat(100)));
  const part = source.subarray(0, source.byteLength - 60);
  expect(await attachmentsOf(part, {}, source.byteLength)).toMatchObject([
    { filename: "whole.csv", blob: { bytes: 1 } },
    { filename: "cut.csv", skipped: "The mail was too large to be fetched as a whole" },
  ]);
});

it("replaces an invalid media type with application/octet-stream", async () => {
  const source = mailWith(attached("odd", "1", `text/${"x".repeat(300)}`));
  expect(await attachmentsOf(source)).toMatchObject([{ blob: { mediaType: "application/octet-stream" } }]);
});
