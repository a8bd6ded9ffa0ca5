import { parseMail } from "@oven/module-registry";
import { expect, it } from "vitest";
import { codeIn, isAutomatic, readReply, toCodeAddress } from "./read-reply.ts";

const CODE = "0123456789abcdef0123456789abcdef";

it.each([
  ["approve", { action: "approve" }],
  ["\r\n  Approve.  \r\n\r\n> reject: no", { action: "approve" }],
  ["reject: paid already\r\nBest, Ada", { action: "reject", reason: "paid already" }],
  ["REJECT:  wrong order ", { action: "reject", reason: "wrong order" }],
  ["reject", undefined],
  ["reject:  \r\nno", undefined],
  ["approve it if it is below 5", undefined],
  ["I do not approve", undefined],
  ["> approve\r\n", undefined],
  ["On Monday OVEN wrote:\r\n> approve", undefined],
  ["", undefined],
  [null, undefined],
])("reads the first line that a person has written: %j", (text, reply) => {
  expect(readReply(text)).toEqual(reply);
});

it.each([
  ["a person", "X-Mailer: Some", false],
  ["a person's client that says so", "Auto-Submitted: no", false],
  ["an absence note", "Auto-Submitted: auto-replied", true],
  ["an older absence note", "Precedence: auto_reply", true],
  ["bulk mail", "Precedence: bulk", true],
  ["a list", "List-Id: <team.example.com>", true],
])("knows mail of %s", async (_who, header, automatic) => {
  const source = `From: Ada <ada@example.com>\r\nTo: r@example.com\r\n${header}\r\n\r\napprove`;
  expect(isAutomatic((await parseMail(Buffer.from(source))).fields)).toBe(automatic);
});

it("takes mail of several senders, and of a mail server, for automatic", async () => {
  for (const from of ["ada@example.com, bob@example.com", "MAILER-DAEMON@example.com"])
    expect(isAutomatic((await parseMail(Buffer.from(`From: ${from}\r\n\r\napprove`))).fields)).toBe(true);
});

it("finds a code among the addresses of a mail, however a server spells them, and nowhere else", async () => {
  const address = "Reviews@example.com";
  expect(toCodeAddress(address, CODE)).toBe(`Reviews+${CODE}@example.com`);
  const codeOf = async (to: string) =>
    codeIn((await parseMail(Buffer.from(`From: a@example.com\r\nTo: ${to}\r\n\r\nx`))).fields, address);
  expect(await codeOf(`"OVEN" <REVIEWS+${CODE.toUpperCase()}@EXAMPLE.com>, other@example.com`)).toBe(CODE);
  expect(await codeOf(`reviews+${CODE}@example.com.evil.com`)).toBeUndefined();
  expect(await codeOf(`reviews+${CODE}0@example.com`)).toBeUndefined();
  expect(await codeOf("reviews@example.com")).toBeUndefined();
});
