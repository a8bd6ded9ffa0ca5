/** A good document, one node and one edge a line. */
export const GOOD = `{
  "id": "desk",
  "name": "Front desk",
  "description": "Who answers what",
  "isConversational": true,
  "entrypointNodeId": "n-router",
  "stepLimit": 15,
  "nodes": [
    {"id": "n-router", "workflowId": "desk", "nodeType": "AGENT", "nodeName": "Router", "agentId": "router"},
    {"id": "n-clerk", "workflowId": "desk", "nodeType": "AGENT", "nodeName": "Clerk", "agentId": "clerk"},
    {"id": "n-tools", "workflowId": "desk", "nodeType": "TOOL_EXECUTOR", "nodeName": "Tools", "agentId": null}
  ],
  "edges": [
    {"id": "e-1", "workflowId": "desk", "sourceNodeId": "n-router", "targetNodeId": "n-clerk", "conditionType": "CONDITIONAL", "conditionValue": "Clerk"},
    {"id": "e-2", "workflowId": "desk", "sourceNodeId": "n-clerk", "targetNodeId": "n-tools", "conditionType": "CONDITIONAL", "conditionValue": "Tools"},
    {"id": "e-3", "workflowId": "desk", "sourceNodeId": "n-tools", "targetNodeId": "n-clerk", "conditionType": "ALWAYS", "conditionValue": null},
    {"id": "e-4", "workflowId": "desk", "sourceNodeId": "n-clerk", "targetNodeId": null, "conditionType": "CONDITIONAL", "conditionValue": "END"}
  ]
}`;

const put = (from: string, to: string, source = GOOD) => {
  if (!source.includes(from)) throw new Error(`the good document has no ${from}`);
  return source.replace(from, () => to);
};
/** The line of a node or an edge, changed within. */
const within = (id: string, from: string, to: string, whole = false) => {
  const line = GOOD.split("\n").find((one) => one.includes(`{"id": "${id}"`)) ?? "";
  const changed = put(from, to, line);
  return put(line, whole ? changed.replace("{", "§{") : changed);
};
const without = (...ids: string[]) =>
  GOOD.split("\n")
    .filter((line) => !ids.some((id) => line.includes(`{"id": "${id}"`)))
    .join("\n");

/** What is wrong, the document with § where the error should point, and what it should say. */
export const MALFORMED: [what: string, source: string, says: RegExp][] = [
  ["nothing", " §", /ends where a value should stand/],
  ["a word", "§graph", /graph is no value/],
  ["text", '§"a graph"', /expected object/],
  ["a list", "§[]", /expected object/],
  ["an object without end", '§{"id": "desk"', /object has no end/],
  ["a list without end", '{"nodes": §[', /list has no end/],
  ["something behind the end", `${GOOD} §}`, /follows the end/],
  ["a key without quotes", put('"name"', "§name"), /begins no key/],
  ["a key twice", put('"description"', '§"name"'), /stands here twice/],
  ["a field that does not exist", put('"stepLimit": 15', '"stepLimits": §15'), /no field "stepLimits"/],
  ["no id", put('{\n  "id": "desk",', "§{"), /id: .*expected string/],
  ["an id with a space", put('"desk"', '§"front desk"'), /letters, digits/],
  ["an id that is a number", put('"desk"', "§7"), /id: .*expected string/],
  ["no name", put('{\n  "id": "desk",\n  "name": "Front desk",', '§{\n  "id": "desk",'), /name: .*expected string/],
  ["an empty name", put('"Front desk"', '§"  "'), /name: Too small/],
  ["a description that is a list", put('"Who answers what"', "§[]"), /description: .*expected string/],
  ["a conversation that is text", put("true", '§"yes"'), /isConversational: .*expected boolean/],
  ["no entry point", put('  "entrypointNodeId": "n-router",\n', "").replace("{", "§{"), /entrypointNodeId: .*expected/],
  [
    "an entry point that is null",
    put('"entrypointNodeId": "n-router"', '"entrypointNodeId": §null'),
    /entrypointNodeId/,
  ],
  [
    "an entry point that does not exist",
    put('"entrypointNodeId": "n-router"', '"entrypointNodeId": §"n-ruter"'),
    /There is no node "n-ruter"/,
  ],
  [
    "an entry point that runs tools",
    put('"entrypointNodeId": "n-router"', '"entrypointNodeId": §"n-tools"'),
    /Tools runs tools, which nobody has asked for/,
  ],
  ["a step limit of zero", put("15", "§0"), /stepLimit: Too small/],
  ["a step limit that is a fraction", put("15", "§1.5"), /stepLimit/],
  ["a step limit without end", put("15", "§1001"), /stepLimit: Too big/],
  ["a time-out of two hours", put('"stepLimit": 15', '"timeoutSeconds": §7200'), /timeoutSeconds: Too big/],
  ["nodes that are an object", GOOD.replace(/"nodes": \[[\s\S]*?\n {2}\]/, '"nodes": §{}'), /nodes: .*expected array/],
  ["no nodes", GOOD.replace(/"nodes": \[[\s\S]*?\n {2}\]/, '"nodes": §[]'), /nodes: Too small/],
  ["edges that are null", GOOD.replace(/"edges": \[[\s\S]*?\n {2}\]/, '"edges": §null'), /edges: .*expected array/],
  ["a node that is text", put('"nodes": [', '"nodes": [\n    §"n-router",'), /nodes\[0\]: .*expected object/],
  ["a node without an id", within("n-clerk", '"id": "n-clerk", ', "", true), /nodes\[1\]\.id/],
  ["a node of a kind that does not exist", within("n-clerk", '"AGENT"', '§"HUMAN"'), /nodes\[1\]\.nodeType/],
  ["a node without a name", within("n-clerk", '"Clerk"', '§""'), /nodes\[1\]\.nodeName: Too small/],
  [
    "a field of a node that does not exist",
    within("n-clerk", '"clerk"', '"clerk", "agentName": §"Clerk"'),
    /no field "agentName"/,
  ],
  ["a node of another workflow", within("n-clerk", '"desk"', '§"other"'), /belongs to the workflow "other"/],
  ["an id of a node twice", within("n-clerk", '"n-clerk"', '§"n-router"'), /is the id of \$\.nodes\[0\] already/],
  ["a name of a node twice", within("n-clerk", '"Clerk"', '§"Router"'), /is the nodeName of \$\.nodes\[0\] already/],
  ["an agent that does not exist", within("n-clerk", '"clerk"', '§"clark"'), /agent "clark" of Clerk does not exist/],
  ["an agent that is a number", within("n-clerk", '"clerk"', "§7"), /nodes\[1\]\.agentId: .*expected string/],
  ["a node of an agent without one", within("n-clerk", '"clerk"', "§null"), /Clerk names no agent/],
  ["a tool executor with an agent", within("n-tools", "null", '§"clerk"'), /Tools runs tools and has no agent/],
  ["an edge that is a list", put('"edges": [', '"edges": [\n    §[],'), /edges\[0\]: .*expected object/],
  ["an edge without a source", within("e-1", '"sourceNodeId": "n-router", ', "", true), /edges\[0\]\.sourceNodeId/],
  ["an edge of another workflow", within("e-1", '"desk"', '§"other"'), /belongs to the workflow "other"/],
  ["an id of an edge twice", within("e-2", '"e-2"', '§"e-1"'), /is the id of \$\.edges\[0\] already/],
  ["an edge from nowhere", within("e-1", '"n-router"', '§"n-nobody"'), /names the node "n-nobody"/],
  ["an edge to a node that does not exist", within("e-1", '"n-clerk"', '§"n-clark"'), /names the node "n-clark"/],
  ["an edge of a kind that does not exist", within("e-1", '"CONDITIONAL"', '§"SOMETIMES"'), /conditionType/],
  [
    "a condition without a value",
    within("e-1", '"conditionValue": "Clerk"', '"conditionValue": §null'),
    /CONDITIONAL without a value/,
  ],
  [
    "a value that is empty",
    within("e-1", '"conditionValue": "Clerk"', '"conditionValue": §""'),
    /conditionValue: Too small/,
  ],
  [
    "a value where there is no condition",
    within("e-3", '"conditionValue": null', '"conditionValue": §"x"'),
    /is ALWAYS, so it has no value/,
  ],
  ["a way to nowhere", within("e-1", '"targetNodeId": "n-clerk"', '"targetNodeId": §null'), /leads nowhere/],
  [
    "an end that leads to a node",
    within(
      "e-1",
      '"targetNodeId": "n-clerk", "conditionType": "CONDITIONAL", "conditionValue": "Clerk"',
      '"targetNodeId": §"n-clerk", "conditionType": "CONDITIONAL", "conditionValue": "END"',
    ),
    /has the value END and leads to a node/,
  ],
  [
    "an end after a tool",
    within(
      "e-3",
      '"targetNodeId": "n-clerk", "conditionType": "ALWAYS", "conditionValue": null',
      '"targetNodeId": §null, "conditionType": "CONDITIONAL", "conditionValue": "END"',
    ),
    /ends the run after a tool/,
  ],
  [
    "two ways for one answer",
    put(
      "  ]\n}",
      '    ,§{"id": "e-5", "workflowId": "desk", "sourceNodeId": "n-router", "targetNodeId": "n-tools", "conditionType": "CONDITIONAL", "conditionValue": "Clerk"}\n  ]\n}',
    ),
    /leave the same node and have both the value "Clerk"/,
  ],
  [
    "two ways without a condition",
    put(
      "  ]\n}",
      '    ,§{"id": "e-5", "workflowId": "desk", "sourceNodeId": "n-tools", "targetNodeId": "n-router", "conditionType": "ALWAYS", "conditionValue": null}\n  ]\n}',
    ),
    /leave the same node and are both ALWAYS/,
  ],
  [
    "tools that nobody runs",
    without("n-tools", "e-2", "e-3")
      .replace(/,(\n {2}\])/, "$1")
      .replace('"nodes": [', '"nodes": §['),
    /Clerk has tools, and no node runs them/,
  ],
  [
    "tools without a way to what runs them",
    put('"n-clerk", "targetNodeId": "n-tools"', '"n-router", "targetNodeId": "n-tools"').replace(
      '    {"id": "n-clerk"',
      '    §{"id": "n-clerk"',
    ),
    /Clerk has tools, and no edge to a tool executor/,
  ],
  [
    "a node that no way leads to",
    without("e-1").replace('    {"id": "n-clerk"', '    §{"id": "n-clerk"'),
    /No way leads from the entry point to Clerk/,
  ],
];
