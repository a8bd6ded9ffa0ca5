import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a passkey is asked for, as a browser gets it. */
export interface PasskeyOptions {
  challenge: string;
}

/** What goes wrong on purpose. */
export interface PasskeyFlaws {
  /** Whether a fingerprint, face or PIN was shown; default: yes. */
  isPersonVerified?: boolean;
  /** The page that asks, default: that of the relying party. */
  origin?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A passkey in software (WebAuthn, ES256, attestation "none"), for tests without a browser. */
export class SoftwarePasskey {
  readonly #rpId: string;
  readonly #origin: string;
  readonly #id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #coseKey: Buffer;
  #counter = 0;

  constructor(origin: string) {
    this.#rpId = new URL(origin).hostname;
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#privateKey = privateKey;
    // A CBOR map: kty EC2, alg ES256, crv P-256, and the point.
    this.#coseKey = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
  }

  /** Answers creation options. */
  register({ challenge }: PasskeyOptions, flaws: PasskeyFlaws = {}): Record<string, unknown> {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const authData = Buffer.concat([
      this.#authenticatorData(HAS_CREDENTIAL, flaws),
      Buffer.alloc(16),
      length,
      this.#id,
      this.#coseKey,
    ]);
    // {fmt: "none", attStmt: {}, authData}
    const head = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex");
    const attestation = Buffer.concat([head, Buffer.from([authData.length]), authData]);
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", challenge, flaws),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers request options. */
  signIn({ challenge }: PasskeyOptions, flaws: PasskeyFlaws = {}): Record<string, unknown> {
    const authData = this.#authenticatorData(0, flaws);
    const clientDataJSON = this.#clientData("webauthn.get", challenge, flaws);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    return this.#answer({
      clientDataJSON,
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", Buffer.concat([authData, hash]), this.#privateKey).toString("base64url"),
    });
  }

  #answer(response: Record<string, unknown>): Record<string, unknown> {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: PasskeyFlaws): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
  }

  #authenticatorData(flags: number, { isPersonVerified = true }: PasskeyFlaws): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.#counter);
    return Buffer.concat([
      createHash("sha256").update(this.#rpId).digest(),
      Buffer.from([flags | PRESENT | (isPersonVerified ? VERIFIED : 0)]),
      counter,
    ]);
  }
}
