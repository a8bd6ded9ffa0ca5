import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkSignature } from "./check-signature.ts";
import { type SignatureConfig, SignatureSchema, styleOf } from "./signature-config.ts";

interface Example {
  config: object;
  secret: string;
  body: string;
  headers: Record<string, string>;
  /** Seconds since 1970. */
  at?: number;
}

/** Where a service publishes an example with its signature, it is that one. */
const EXAMPLES: Record<string, Example> = {
  "GitHub's own example": {
    config: { style: "github", secret: "key" },
    secret: "It's a Secret to Everybody",
    body: "Hello, World!",
    headers: {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
  },
  "the example of standardwebhooks.com": {
    config: { style: "standard", secret: "key" },
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    body: '{"test": 2432232314}',
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,bm90aGluZw== v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    at: 1614265330,
  },
  "Slack's own example": {
    config: { style: "slack", secret: "key" },
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
    at: 1531420618,
  },
  "Stripe, with two signatures while a secret is changed": {
    config: { style: "stripe", secret: "key" },
    secret: "whsec_stripe",
    body: '{"id":"evt_1"}',
    headers: {
      "stripe-signature": `t=1700000000,v0=x,v1=${"0".repeat(64)},v1=${hmac("sha256", "whsec_stripe", '1700000000.{"id":"evt_1"}', "hex")}`,
    },
    at: 1_700_000_000,
  },
  "a service of its own kind": {
    config: { style: "hmac", secret: "key", header: "X-Sum", algorithm: "sha512", prefix: "v=", encoding: "base64" },
    secret: "a plain key",
    body: "plain",
    headers: { "x-sum": `v=${hmac("sha512", "a plain key", "plain", "base64")}` },
  },
  "one of its own kind, with a time": {
    config: { style: "hmac", secret: "key", header: "X-Sum", timestampHeader: "X-Time" },
    secret: "a plain key",
    body: "plain",
    headers: { "x-sum": hmac("sha256", "a plain key", "1700000000.plain", "hex"), "x-time": "1700000000" },
    at: 1_700_000_000,
  },
};

function hmac(algorithm: string, secret: string, text: string, encoding: "hex" | "base64"): string {
  return createHmac(algorithm, secret).update(text).digest(encoding);
}

function check({ config, secret, body, headers, at = 0 }: Example, seconds = at): void {
  const parsed: SignatureConfig = SignatureSchema.parse(config);
  const style = styleOf(parsed);
  if (style === undefined) throw new Error("this style checks nothing");
  const request = { headers: new Headers(headers), body: Buffer.from(body) };
  checkSignature(style, secret, request, { now: new Date(seconds * 1_000), windowSeconds: 300 });
}

const failure = (code: string) => expect.objectContaining({ code, status: 401 });

describe.each(Object.entries(EXAMPLES))("a signature of %s", (_name, example) => {
  it("fits, and does not once the body, the secret or the signature is another", () => {
    check(example);
    expect(() => check({ ...example, body: `${example.body} ` })).toThrow(failure("SIGNATURE_INVALID"));
    expect(() => check({ ...example, secret: `x${example.secret}` })).toThrow(failure("SIGNATURE_INVALID"));
    expect(() => check({ ...example, headers: {} })).toThrow(failure("SIGNATURE_INVALID"));
    for (const [name, value] of Object.entries(example.headers)) {
      expect(() => check({ ...example, headers: { ...example.headers, [name]: value.slice(0, -3) } })).toThrow(
        failure("SIGNATURE_INVALID"),
      );
    }
  });
});

describe.each(Object.entries(EXAMPLES).filter(([, { at }]) => at !== undefined))("a time of %s", (_name, example) => {
  it("is taken within the window around it, and neither before nor after", () => {
    const at = example.at ?? 0;
    check(example, at + 300);
    check(example, at - 300);
    expect(() => check(example, at + 301)).toThrow(failure("TIMESTAMP_REFUSED"));
    expect(() => check(example, at - 301)).toThrow(failure("TIMESTAMP_REFUSED"));
  });
});
