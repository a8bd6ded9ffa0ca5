/** A good document, one field a line. */
export const GOOD = `{
  "name": "Prices",
  "description": "Watches prices",
  "executors": [
    {
      "executor_id": "fetch",
      "name": "Fetcher",
      "model": "gpt-4o-mini",
      "tools": ["mail.addLabel"],
      "system_prompt": "Fetch.",
      "output_schema": {"prices": [{"price": "float"}]}
    },
    {
      "executor_id": "compare",
      "name": "Comparator",
      "model": "gpt-4o",
      "tools": [],
      "system_prompt": "Compare.",
      "output_schema": {"ok": "bool"},
      "loop": {"type": "for_each", "input_path": "prices"}
    }
  ],
  "schedule_type": "recurring",
  "cron_expression": "0 9 * * MON-FRI"
}`;

const put = (from: string, to: string) => {
  if (!GOOD.includes(from)) throw new Error(`the good document has no ${from}`);
  return GOOD.replace(from, to);
};

/** What is wrong, the document with § where the error should point, and what it should say. */
export const MALFORMED: [what: string, source: string, says: RegExp][] = [
  ["nothing", " §", /ends where a value should stand/],
  ["a comment and nothing else", "# a chain\n§", /ends where a value should stand/],
  ["a word", "§hello", /hello is no value/],
  ["a list", '§[{"name": "x"}]', /expected object/],
  ["text", '§"a chain"', /expected object/],
  ["an object without end", '§{"name": "x", "description": ""', /object has no end/],
  ["a list without end", '{"executors": §[1, 2', /list has no end/],
  ["a text without end", '{"name": §"x', /text has no end/],
  ["a text over two lines", '{"name": §"x\ny"}', /no end on its line/],
  ["three quotes without end", '{"name": §"""x\ny"}', /text has no end/],
  ["something behind the end", `${GOOD} §x`, /follows the end/],
  ["a key without quotes", put('"name": "Prices"', '§name: "Prices"'), /begins no key/],
  ["no colon", put('"name": "Prices"', '"name" §"Prices"'), /colon should follow/],
  [
    "no comma between keys",
    put('"name": "Prices",\n', '"name": "Prices"\n').replace('  "description"', '  §"description"'),
    /comma should stand/,
  ],
  ["no comma between entries", put('["mail.addLabel"]', '["mail.addLabel" §"x"]'), /comma should stand/],
  ["a key twice", put('"description"', '§"name"'), /stands here twice/],
  ["a comma too many", put('"tools": []', '"tools": [§,]'), /begins no value/],
  ["a number that is none", put('"tools": []', '"tools": [§01]'), /begins no value/],
  ["a word for a value", put('"recurring"', "§recurring"), /recurring is no value/],
  ["undefined", put('"tools": []', '"tools": §undefined'), /undefined is no value/],
  ["a wrong escape", put('"Fetch."', '"Fetch\\§u12"'), /hexadecimal/],
  ["a call", put('{"ok": "bool"}', '§dict(ok="bool")'), /dict is no value/],
  ["too deep", `{"name": ${"[".repeat(100)}§${"[".repeat(5)}`, /nested over 100/],
  ["no name", put('  "name": "Prices",\n', "").replace("{", "§{"), /name: .*expected string/],
  [
    "no description",
    put('  "description": "Watches prices",\n', "").replace("{", "§{"),
    /description: .*expected string/,
  ],
  ["an empty name", put('"Prices"', '§""'), /name: Too small/],
  ["a name that is a number", put('"Prices"', "§7"), /name: .*expected string/],
  ["no executors", '§{"name": "x", "description": ""}', /executors: .*expected array/],
  ["an empty chain", '{"name": "x", "description": "", "executors": §[]}', /executors: Too small/],
  ["executors that are an object", '{"name": "x", "description": "", "executors": §{}}', /executors: .*expected array/],
  [
    "an executor that is text",
    '{"name": "x", "description": "", "executors": [§"fetch"]}',
    /executors\[0\]: .*expected object/,
  ],
  ["a field that does not exist", put('"cron_expression"', '"cron"').replace('"0 9', '§"0 9'), /no field "cron"/],
  [
    "a field of an executor that does not exist",
    put('"name": "Fetcher"', '"name": "Fetcher", "title": §"Fetcher"'),
    /no field "title"/,
  ],
  ["no id", put('"executor_id": "compare",', "").replace("{\n      \n", "§{\n      \n"), /executors\[1\]\.executor_id/],
  ["an id with a space", put('"fetch"', '§"fetch it"'), /executors\[0\]\.executor_id: must be a letter/],
  ["an id twice", put('"compare"', '§"fetch"'), /executors\[1\]\.executor_id: fetch is the id of executors\[0\]/],
  ["a model nobody has", put('"gpt-4o"', '§"gpt-4oo"'), /executors\[1\]\.model: There is no model "gpt-4oo"/],
  ["a provider nobody has", put('"gpt-4o"', '§"nobody:gpt-4o"'), /executors\[1\]\.model/],
  ["an empty model", put('"gpt-4o"', '§""'), /executors\[1\]\.model: Too small/],
  [
    "a tool nobody has",
    put('"mail.addLabel"', '§"mail.addLabl"'),
    /executors\[0\]\.tools\[0\]: There is no tool "mail.addLabl"/,
  ],
  ["tools that are text", put('["mail.addLabel"]', '§"mail.addLabel"'), /executors\[0\]\.tools: .*expected array/],
  ["no prompt", put('"Compare."', '§""'), /executors\[1\]\.system_prompt/],
  ["an output schema that is text", put('{"ok": "bool"}', '§"bool"'), /executors\[1\]\.output_schema/],
  ["an empty output schema", put('{"ok": "bool"}', "§{}"), /output_schema: The output schema is empty/],
  ["a type that does not exist", put('"float"', '§"money"'), /prices\[0\]\.price: There is no type "money"/],
  ["a list of two types", put('[{"price": "float"}]', '§["str", "int"]'), /prices: A list in an example has one entry/],
  [
    "a schema of a list",
    put('{"ok": "bool"}', '{"type": §"array"}'),
    /output_schema\.type: What an executor answers is an object/,
  ],
  ["a loop that does not exist", put('"for_each"', '§"while"'), /executors\[1\]\.loop\.type/],
  [
    "a loop over nothing",
    put(
      '"output_schema": {"prices": [{"price": "float"}]}',
      '"output_schema": {"ok": "bool"}, "loop": {"type": §"for_each"}',
    ),
    /executors\[0\]\.loop\.type: The first executor has no previous output/,
  ],
  ["a path that is none", put('"input_path": "prices"', '"input_path": §"prices[[0"'), /loop\.input_path/],
  [
    "a repetition without end",
    put('{"type": "for_each", "input_path": "prices"}', '§{"type": "repeat_until"}'),
    /loop\.predicate_path: A loop that repeats/,
  ],
  ["a limit below one", put('"input_path": "prices"', '"max_items": §0'), /loop\.max_items/],
  [
    "a schedule type that does not exist",
    put('"recurring"', '§"daily"'),
    /schedule_type: .*immediate.*scheduled.*recurring/,
  ],
  [
    "a schedule that nobody understands",
    put('"0 9 * * MON-FRI"', '§"when pigs fly"'),
    /cron_expression: "when pigs fly" could not be read/,
  ],
  [
    "no time for once",
    put('"recurring"', '"scheduled"').replace("{", "§{"),
    /schedule_time: scheduled needs schedule_time/,
  ],
  [
    "a zone that does not exist",
    put('"cron_expression"', '"timezone": §"Europe/Nowhere", "cron_expression"'),
    /timezone: must be a time zone/,
  ],
];
