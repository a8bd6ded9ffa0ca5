import { expect, it } from "vitest";
import { readReplyMailbox, replyVariables } from "./reply-mailbox.ts";

const OVEN_REVIEW_MAILBOX = "imaps://reviews%40example.com:a%20word@imap.example.com/Replies%20here";
const OVEN_REVIEW_ADDRESS = "reviews@example.com";
const read = (variables: Record<string, string>, outboundAllow: string[] = [], hasMail = true) =>
  readReplyMailbox({ variables, outboundAllow }, hasMail);

it("reads where the mailbox is, and what opens it", () => {
  expect(read({ OVEN_REVIEW_MAILBOX, OVEN_REVIEW_ADDRESS })).toMatchObject({
    server: { host: "imap.example.com", port: 993, encryption: "tls" },
    user: "reviews@example.com",
    password: "a word",
    folder: "Replies here",
    address: OVEN_REVIEW_ADDRESS,
  });
  expect(read({ OVEN_REVIEW_MAILBOX, OVEN_REVIEW_ADDRESS })?.clean("LOGIN a word failed")).not.toContain("a word");
  expect(read({})).toBeUndefined();
});

it("speaks without encryption only where an operator allows it", () => {
  const variables = { OVEN_REVIEW_MAILBOX: "imap://u:p@10.0.0.5", OVEN_REVIEW_ADDRESS };
  expect(read(variables)?.server).toEqual({ host: "10.0.0.5", port: 143, encryption: "starttls" });
  expect(read(variables, ["http://10.0.0.5:143"])?.server.encryption).toBe("none");
  expect(read({ ...variables, OVEN_REVIEW_MAILBOX }, ["http://imap.example.com:993"])?.server.encryption).toBe("tls");
});

it.each([
  ["a mailbox alone", { OVEN_REVIEW_MAILBOX }, true],
  ["an address alone", { OVEN_REVIEW_ADDRESS }, true],
  ["no mail server for the answers", { OVEN_REVIEW_MAILBOX, OVEN_REVIEW_ADDRESS }, false],
])("refuses %s", (_what, variables, hasMail) => {
  expect(() => read(variables, [], hasMail)).toThrow(/^OVEN_REVIEW_/);
});

it.each([
  ["OVEN_REVIEW_MAILBOX", "https://imap.example.com", false],
  ["OVEN_REVIEW_MAILBOX", OVEN_REVIEW_MAILBOX, true],
  ["OVEN_REVIEW_ADDRESS", "reviews+oven@example.com", false],
  ["OVEN_REVIEW_ADDRESS", `${"r".repeat(32)}@example.com`, false],
  ["OVEN_REVIEW_ADDRESS", OVEN_REVIEW_ADDRESS, true],
])("takes for %s: %s: %s", (name, value, taken) => {
  const schema = replyVariables.find((variable) => variable.name === name)?.schema;
  expect(schema?.safeParse(value).success).toBe(taken);
});
