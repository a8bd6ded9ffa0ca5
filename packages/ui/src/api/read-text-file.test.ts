import { describe, expect, it } from "vitest";
import { readTextFile } from "./read-text-file.ts";

describe("a file that somebody chose", () => {
  it("is read by its byte order mark, and without it", async () => {
    for (const encoding of ["utf8", "utf16le"] as const)
      expect(await readTextFile(new File([new Uint8Array(Buffer.from('\uFEFF{"a":"ü"}', encoding))], "a.json"))).toBe(
        '{"a":"ü"}',
      );
  });

  it("is refused when it is no text, with its name", async () => {
    const file = new File([new Uint8Array([0x4d, 0xfc])], "old.json");
    await expect(readTextFile(file)).rejects.toMatchObject({
      code: "TEXT_UNDECODABLE",
      message: expect.stringContaining("old.json"),
    });
  });
});
