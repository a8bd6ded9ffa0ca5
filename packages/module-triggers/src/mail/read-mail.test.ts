import { expect, it } from "vitest";
import { readMail } from "./read-mail.ts";

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

it("reads addresses, texts in their encoding, and what is attached without its content", async () => {
  const source = Buffer.from(MAIL);
  const read = await readMail(source, { mailbox: "INBOX", uid: 7, size: source.byteLength });
  expect(read).toMatchObject({
    from: [{ address: "juergen@example.com", name: "Jürgen" }],
    to: [{ address: "ada@example.com" }, { address: "bob@example.com" }],
    cc: [{ address: "carol@example.com", name: "Carol, C." }],
    subject: "Grüße",
    text: expect.stringContaining("Grüße"),
    html: expect.stringContaining("<b>Hello</b>"),
    date: null,
    headers: { "reply-to": "answers@example.com", references: "<1@example.com> <2@example.com>" },
    attachments: [{ filename: "invoice.pdf", contentType: "application/pdf", size: 5 }],
    uid: 7,
  });
  expect(Object.keys(read.headers ?? {})).toEqual(["reply-to", "references"]);
  expect(read).not.toHaveProperty("truncated");
});

it("says when a mail was too large to be fetched as a whole", async () => {
  const read = await readMail(Buffer.from(MAIL.slice(0, 500)), { mailbox: "INBOX", uid: 7, size: MAIL.length });
  expect(read).toMatchObject({ truncated: true, subject: "Grüße" });
});
