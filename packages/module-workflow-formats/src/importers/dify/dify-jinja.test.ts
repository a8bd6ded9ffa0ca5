import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { app, chain, end, start, template } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const INPUT: JsonObject = {
  rows: [
    { url: "u1", cells: ["p", "q"] },
    { url: "u2", cells: [] },
  ],
  nums: [1, 2, 3],
  n: 3,
  word: "a banana",
  map: { a: "1", b: "<x>'&" },
  none: null,
};

/** Templates and what Jinja2 3.1 makes of them. */
const CASES: [source: string, made: string][] = [
  ["{% for d in rows -%}\n|{{d.url}}|{{d.none}}|\n{% endfor -%}", "|u1||\n|u2||\n"],
  [
    "{% for x in nums %}\r\n<{{ loop.index }}/{{ loop.length }}>{{ x }}\n{% endfor %}\n",
    "\n<1/3>1\n\n<2/3>2\n\n<3/3>3\n",
  ],
  ["{% if n > 3 and word %}big{% elif n == 3 %}{{ word | upper }}{% else %}small{% endif %}", "A BANANA"],
  ["{% for x in missing %}a{% else %}none{% endfor %}|{{ missing }}|{{ missing | default('d') }}", "none||d"],
  ["{% set t = 'a' %}{% for i in nums %}{% set t = t ~ i %}{{ t }},{% endfor %}{{ t }}", "a1,a2,a3,a"],
  ["{% if n %}{% set y = 5 %}{% endif %}{{ y }} {{ missing is undefined }} {{ none is none }}", "5 True True"],
  ["{% for k, v in map.items() %}{{ k }}={{ v }}{% if not loop.last %}, {% endif %}{% endfor %}", "a=1, b=<x>'&"],
  [
    "{{ nums | join('-') }} {{ nums|length }} {{ nums|last }} {{ nums[1] }} {{ nums[9] }} {{ map['a'] }}",
    "1-2-3 3 3 2  1",
  ],
  [
    "{{ map | tojson }} {{ map }} {{ none }}",
    `{"a": "1", "b": "\\u003cx\\u003e\\u0027\\u0026"} {'a': '1', 'b': "<x>'&"} None`,
  ],
  [
    "{{ 'yes' if n else 'no' }}{{ 'x' if missing }} {{ n / 2 }} {{ n // 2 }} {{ -n|abs }} {{ 'a' ~ none }}",
    "yes 1.5 1 3 aNone",
  ],
  ["{# note #}a{%- if 1 in nums %} in {%- endif %} b {{- word }} c", "a in ba banana c"],
  ["{{ word.split(' ')[0] }} {{ word | replace('a', 'c') | capitalize }}", "a C bcncnc"],
  [
    "{% for i in nums if i > 1 %}{{ loop.index }}:{{ i }}/{{ loop.length }} {{ loop.first }};{% endfor %}",
    "1:2/2 True;2:3/2 False;",
  ],
  [
    "{% for r in rows %}{% for c in r.cells %}{{ loop.index }}{{ c }}{% endfor %}{{ loop.index0 }};{% endfor %}",
    "1p2q0;1;",
  ],
  [
    "{{ missing or 'alt' }} {{ word and n }} {{ 'q' not in word }} {{ not n }} {{ missing == 'x' }}",
    "alt 3 True False False",
  ],
  ["{{ '2.5' | float }} {{ 'x' | int }} {{ 2.567 | round(1) }} {{ 'q\"}}' }} {{ (n + 1) * 2 }}", '2.5 0 2.6 q"}} 8'],
];

const inputs = Object.fromEntries(Object.keys(INPUT).map((name) => [name, ["start", name]]));

describe("a Jinja template of Dify that is a program", () => {
  it("gives what Jinja gives", async () => {
    const fields = Object.keys(INPUT).map((variable) => ({ variable, type: "json_object" }));
    const nodes = CASES.map(([source], index) => template(`t${index}`, source, inputs));
    const outputs = CASES.map((_, index): [string, string, string] => [`t${index}`, `t${index}`, "output"]);
    const ids = CASES.map((_, index) => `t${index}`);
    const document = app([start(...fields), ...nodes, end("end", ...outputs)], chain("start", ...ids, "end"));
    const { output, error } = await story.run(document, INPUT);
    expect(error).toBeNull();
    for (const [index, [source, made]] of CASES.entries())
      expect([source, output[`t${index}`]]).toEqual([source, made]);
  });

  it("fails the run where Jinja fails", async () => {
    const nodes = [
      start(),
      template("t", "{{ missing.deeper.still }}{% if 1 %}{% endif %}"),
      end("end", ["t", "t", "output"]),
    ];
    const made = await story.call("POST", "workflow-imports", {
      source: JSON.stringify(app(nodes, chain("start", "t", "end"))),
    });
    const at = `agent-workflows/${made.body.workflow.id}/execute?wait=30`;
    const { body } = await story.call("POST", at, { input: {} });
    expect([body.status, JSON.stringify(body)]).toEqual([
      "failed",
      expect.stringContaining("a value that is not there"),
    ]);
  });

  it.each([
    ["{% raw %}{{ x }}{% endraw %}", "the tag raw"],
    ["{% macro a() %}{% endmacro %}", "the tag macro"],
    ["{{ nums | sum }}", "the filter sum"],
    ["{{ n is divisibleby 3 }}", "the test divisibleby"],
    ["{{ range(3) }}", "calls range"],
    ["{{ nums.append(1) }}", "calls append"],
    ["{% for x in nums %}{{ loop.cycle('a') }}{% endfor %}", "loop.cycle"],
    ["{{ map.items | list }}", "reads items"],
    ["{{ 2 ** 3 }}", "** where that is not known"],
    ["{% if n %}", "has no endif"],
    ["{% if n %}{{ 'a", "without an end"],
  ])("is a placeholder where it needs more: %s", async (source, reason) => {
    const { report } = await story.preview(
      app(
        [start({ variable: "n", type: "number" }), template("t", source, { n: ["start", "n"] }), end("end")],
        chain("start", "t", "end"),
      ),
    );
    const element = report.elements.find(({ name }) => name === "t");
    expect([element?.outcome, element?.notes.join()]).toEqual(["placeholder", expect.stringContaining(reason)]);
  });
});
