/** A good document, one field a line. */
export const GOOD = `{
  "name": "Regions",
  "max_iterations": 50,
  "steps": {
    "root": { "function": "test.say", "input": { "topic": "otters" } },
    "collect": {
      "function": "core.transform",
      "input": { "mapping": { "after": "@{SESSION_ID}.collect.cursor|0" } }
    },
    "ask": { "function": "utils.request.request", "input": { "prompt": "Which region?" } }
  },
  "next": [
    { "from": "root", "to": "collect", "priority": 1 },
    {
      "from": "collect",
      "to": "ask",
      "operator": "OR",
      "conditions": [{ "variable": "@{SESSION_ID}.collect.cursor", "operator": ">=", "value": 3 }]
    }
  ]
}`;

const put = (from: string, to: string) => {
  if (!GOOD.includes(from)) throw new Error(`the good document has no ${from}`);
  return GOOD.replace(from, () => to);
};

const VARIABLE = '"variable": "@{SESSION_ID}.collect.cursor"';

/** What is wrong, the document with § where the error should point, and what it should say. */
export const MALFORMED: [what: string, source: string, says: RegExp][] = [
  ["nothing", " §", /ends where a value should stand/],
  ["a word", "§graph", /graph is no value/],
  ["text", '§"a graph"', /expected object/],
  ["an empty list", "§[]", /expected object/],
  ["an empty object", "§{}", /steps: .*expected/],
  ["an object without end", '§{"steps": {}', /object has no end/],
  ["something behind the end", `${GOOD} §}`, /follows the end/],
  ["a key without quotes", put('"steps"', "§steps"), /begins no key/],
  ["a key twice", put('"max_iterations"', '§"name"'), /stands here twice/],
  ["a step twice", put('    "ask"', '    §"root"'), /"root" stands here twice/],
  ["no steps", '§{"name": "x"}', /steps: .*expected/],
  ["steps that are a list", '{"steps": §[]}', /steps: .*expected/],
  ["no step at all", '{"steps": §{}}', /There is no step root/],
  ["no root", put('    "root"', '    "rot"').replace('"steps": {', '"steps": §{'), /no step root.*/],
  [
    "a step that is text",
    put('{ "function": "test.say", "input": { "topic": "otters" } }', '§"test.say"'),
    /steps\.root: .*expected object/,
  ],
  [
    "a step without a function",
    put('{ "function": "test.say", "input"', '§{ "input"'),
    /steps\.root\.function: .*expected string/,
  ],
  ["an empty function", put('"test.say"', '§""'), /function: Too small/],
  ["a function that is a number", put('"test.say"', "§7"), /function: .*expected string/],
  [
    "a field of a step that does not exist",
    put('"input": { "topic": "otters" }', '"inputs": §{}'),
    /no field "inputs"/,
  ],
  [
    "a name of a step with a space",
    put('    "ask"', '    "ask it"').replace('{ "function": "utils', '§{ "function": "utils'),
    /must be a letter/,
  ],
  [
    "a name of a step with a dot",
    put('    "ask"', '    "a.b"').replace('{ "function": "utils', '§{ "function": "utils'),
    /must be a letter/,
  ],
  [
    "a name of a step that begins with a digit",
    put('    "ask"', '    "1st"').replace('{ "function": "utils', '§{ "function": "utils'),
    /must be a letter/,
  ],
  [
    "a name of a step that no object should have",
    put('    "ask"', '    "__proto__"').replace('{ "function": "utils', '§{ "function": "utils'),
    /.+/,
  ],
  ["an input that is a list", put('{ "topic": "otters" }', "§[]"), /steps\.root\.input/],
  ["an input that is a number", put('{ "topic": "otters" }', "§3"), /steps\.root\.input/],
  ["an input whose text is not JSON", put('{ "topic": "otters" }', '§"{topic}"'), /The input of root is not JSON/],
  ["an input whose text is a list", put('{ "topic": "otters" }', '§"[1]"'), /is not JSON of an object/],
  ["an input that its function does not take", put('"input": { "mapping": {', '"input": §{ "maping": {'), /mapping/],
  [
    "an input of a wrong type",
    put('"mapping": { "after": "@{SESSION_ID}.collect.cursor|0" }', '"mapping": §7'),
    /mapping/,
  ],
  ["a question without a form", put('"prompt": "Which region?"', '"schema": §7'), /schema/],
  [
    "a reference to a step that does not exist",
    put('"otters"', '§"@{SESSION_ID}.colect.x"'),
    /names a step that does not exist/,
  ],
  ["a reference in a list", put('"otters"', '["a", §"@{SESSION_ID}.nobody"]'), /topic\[1\]: .*does not exist/],
  ["a reference within text", put('"otters"', '§"all @{SESSION_ID}.nobody.x of them"'), /does not exist/],
  ["a reference without a step", put('"otters"', '§"@{SESSION_ID}"'), /is no reference/],
  ["a reference without an end", put('"otters"', '§"@{SESSION_ID.root"'), /is no reference/],
  ["a reference to a position far away", put('"otters"', '§"@{SESSION_ID}.root[9999999]"'), /is no position/],
  [
    "an expression beside references",
    put('{ "topic": "otters" }', '§{ "$cel": "1", "x": "@{SESSION_ID}.root" }'),
    /\$cel or \$literal/,
  ],
  ["paths that are an object", '{"steps": {"root": {"function": "test.say"}}, "next": §{}}', /next: .*expected array/],
  [
    "a path that is text",
    put('{ "from": "root", "to": "collect", "priority": 1 }', '§"root"'),
    /next\[0\]: .*expected object/,
  ],
  ["a path without a start", put('{ "from": "root", ', "§{ "), /next\[0\]\.from/],
  [
    "a path without an end",
    put('"to": "collect", "priority": 1 }', '"priority": 1 }').replace('{ "from": "root"', '§{ "from": "root"'),
    /next\[0\]\.to/,
  ],
  ["a path from a step that does not exist", put('"from": "root"', '"from": §"rooot"'), /There is no step "rooot"/],
  ["a path to a step that does not exist", put('"to": "ask"', '"to": §"aks"'), /There is no step "aks"/],
  ["a field of a path that does not exist", put('"priority": 1', '"prio": §1'), /no field "prio"/],
  ["a priority that is text", put('"priority": 1', '"priority": §"high"'), /priority: .*expected number/],
  ["a joining that does not exist", put('"OR"', '§"XOR"'), /next\[1\]\.operator/],
  [
    "conditions that are an object",
    put('"conditions": [', '"conditions": §{"a": [').replace('"value": 3 }]', '"value": 3 }]}'),
    /next\[1\]\.conditions/,
  ],
  [
    "conditions whose text is not JSON",
    put('[{ "variable": "@{SESSION_ID}.collect.cursor", "operator": ">=", "value": 3 }]', '§"cursor >= 3"'),
    /not JSON of a list of conditions/,
  ],
  [
    "a condition without a variable",
    put(`{ ${VARIABLE}, "operator": ">="`, '§{ "operator": ">="'),
    /variable|conditions/,
  ],
  ["a condition on a name", put('"@{SESSION_ID}.collect.cursor"', '§"cursor"'), /is no reference/],
  [
    "a condition on text around a reference",
    put('"@{SESSION_ID}.collect.cursor", "operator"', '§"is @{SESSION_ID}.collect.cursor", "operator"'),
    /is no reference/,
  ],
  [
    "a condition on a step that does not exist",
    put('"@{SESSION_ID}.collect.cursor", "operator"', '§"@{SESSION_ID}.colect.cursor", "operator"'),
    /does not exist/,
  ],
  [
    "a condition on another session",
    put('"@{SESSION_ID}.collect.cursor", "operator"', '§"@{6f76}.collect.cursor", "operator"'),
    /another session/,
  ],
  ["an operator that does not exist", put('"operator": ">="', '"operator": §"=>"'), /conditions/],
  [
    "a condition without a value",
    put(
      '{ "variable": "@{SESSION_ID}.collect.cursor", "operator": ">=", "value": 3 }',
      '§{ "variable": "@{SESSION_ID}.collect.cursor", "operator": ">=" }',
    ),
    /needs a value/,
  ],
  ["a pattern that cannot be read", put('">=", "value": 3', '"matches", "value": §"("'), /.+/],
  ["a limit below one", put('"max_iterations": 50', '"max_iterations": §0'), /max_iterations/],
  ["a limit that is a fraction", put('"max_iterations": 50', '"max_iterations": §1.5'), /max_iterations/],
  ["an empty name", put('"Regions"', '§""'), /name: Too small/],
  ["a field that does not exist", put('"max_iterations": 50', '"max_iteration": §50'), /no field "max_iteration"/],
];
