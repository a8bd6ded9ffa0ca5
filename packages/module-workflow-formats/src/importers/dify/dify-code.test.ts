import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { app, at, chain, end, start } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const code = (language: string, text: string): JsonObject =>
  at("calc", {
    type: "code",
    code_language: language,
    code: text,
    variables: [
      { variable: "total", value_selector: ["start", "n"] },
      { variable: "name", value_selector: ["start", "name"] },
    ],
    outputs: { twice: { type: "number" }, hello: { type: "string" } },
  });

const document = (language: string, text: string): JsonObject =>
  app(
    [
      start(
        { variable: "n", type: "number", required: true },
        { variable: "name", type: "text-input", required: true },
      ),
      code(language, text),
      end("end", ["twice", "calc", "twice"], ["hello", "calc", "hello"]),
    ],
    chain("start", "calc", "end"),
  );

describe("a code node of Dify", () => {
  it.each([
    ["python3", "def main(total: float, name: str) -> dict:\n    return {'twice': total * 2, 'hello': f'Hi {name}'}"],
    ["javascript", "function main({ total, name }) {\n  return { twice: total * 2, hello: 'Hi ' + name };\n}"],
  ])("runs its main with its variables: %s", async (language, text) => {
    const { output, error } = await story.run(document(language, text), { n: 21, name: "Ann" });
    expect([output, error]).toEqual([{ twice: 42, hello: "Hi Ann" }, null]);
  });

  it.each([
    [
      "import requests\ndef main(total, name):\n    return requests.get(name)",
      "it loads the module requests, which is not there",
    ],
    ["def main(total, name):\n    from time import time\n    return time()", "it loads the module time"],
    ["import json, os.path\ndef main(total, name):\n    return {}", "it loads the module os, which is not there"],
    ["from datetime import datetime\ndef main(total, name):\n    return {'t': str(datetime.now())}", "reads the clock"],
    ["def main(total, name):\n    return {}\nprint('a' in locals())", "it calls locals"],
    ["def main(total, name):\n    return {'hello': 'Hi %s' % name}", "it fills texts in by %"],
    ['def main(total, name):\n    return {"hello": """Hi\n%s"""%(name,)}', "it fills texts in by %"],
    ["class A:\n    pass\ndef main(total, name):\n    return {}", "declares a class"],
  ])("that needs what is not there is a placeholder which says what: %j", async (text, reason) => {
    const { report } = await story.preview(document("python3", text));
    const calc = report.elements.find(({ name }) => name === "calc");
    expect([calc?.outcome, calc?.notes[0]]).toEqual(["placeholder", expect.stringContaining(reason)]);
  });

  it("that names formats of dates and remainders is carried over", async () => {
    const text =
      "from datetime import datetime\ndef main(total, name):\n    # 'Hi %s' % name\n    day = datetime(2026, 3, 4).strftime('%Y-%m-%d')\n    return {'twice': total % 4, 'hello': day}";
    const { output, error } = await story.run(document("python3", text), { n: 7, name: "Ann" });
    expect([output, error]).toEqual([{ twice: 3, hello: "2026-03-04" }, null]);
  });

  it("that loads a module and never names it is carried over without that", async () => {
    const text =
      "import time\nimport numpy as np # later\ndef main(total, name):\n    import os\n    return {'twice': total, 'hello': name}";
    const { output } = await story.run(document("python3", text), { n: 1, name: "Ann" });
    expect(output).toEqual({ twice: 1, hello: "Ann" });
  });

  it.each(["", "a", "ab", "abc", "<svg>é—😀</svg>"])(
    "that makes base64 of a text is carried over: %j",
    async (name) => {
      const text =
        "import base64\nimport json\ndef main(total, name):\n    made = base64.b64encode(name.encode('utf-8')).decode('utf-8')\n    return {'twice': total, 'hello': f'data:x;base64,{made}'}";
      const { output } = await story.run(document("python3", text), { n: 1, name });
      expect(output).toEqual({ twice: 1, hello: `data:x;base64,${Buffer.from(name).toString("base64")}` });
    },
  );

  it.each([
    "import base64\ndef main(total, name):\n    return {'hello': base64.b64decode(name)}",
    "import base64\ndef main(total, name):\n    return {'twice': base64.b64encode(b'a'), 'hello': base64.b64decode(name)}",
    "import base64\ndef main(total, name):\n    return {'hello': f'{base64.b64encode(name.encode())}'}",
    "from base64 import b64encode\ndef main(total, name):\n    return {'hello': b64encode(name.encode())}",
  ])("that uses more of base64, or in a text, is a placeholder: %j", async (text) => {
    const { report } = await story.preview(document("python3", text));
    const calc = report.elements.find((element) => element.name === "calc");
    expect([calc?.outcome, calc?.notes[0]]).toEqual(["placeholder", "it loads the module base64, which is not there"]);
  });

  it("with modules that are there is carried over", async () => {
    const text =
      "import json\nimport re\nfrom typing import List\ndef main(total, name):\n    return {'twice': 1, 'hello': json.dumps(re.findall('n', name))}";
    const { output } = await story.run(document("python3", text), { n: 1, name: "Ann" });
    expect(output).toEqual({ twice: 1, hello: '["n", "n"]' });
  });
});
