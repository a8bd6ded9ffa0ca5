import type { Json, JsonObject } from "@oven/contract";
import type { Random } from "../../../importing/testing/random.ts";

interface Around {
  /** Ids of nodes that variables are read from. */
  others: readonly string[];
  isChat: boolean;
  /** The type of the loop that the node is in. */
  inner: string | undefined;
}

type Make = (random: Random, around: Around) => JsonObject;

const selector = (random: Random, { others }: Around): Json => [
  random.pick(others),
  random.pick(["x", "output", "text", "body", "item", "class_name", "missing"]),
];

const conditions = (random: Random, around: Around): Json =>
  Array.from({ length: random.between(1, 2) }, () => ({
    ...{ variable_selector: selector(random, around), value: random.pick<Json>(["a", "7", "{{#sys.query#}}"]) },
    comparison_operator: random.pick(["contains", "is", "is not", "empty", ">", "start with", "in"]),
  }));

const makeIf: Make = (random, around) => ({
  type: "if-else",
  cases: Array.from({ length: random.between(1, 3) }, (_, index) => ({
    ...{
      case_id: `case${index}`,
      logical_operator: random.pick(["and", "or"]),
      conditions: conditions(random, around),
    },
  })),
});

const makeClassifier: Make = (random, around) => ({
  type: "question-classifier",
  query_variable_selector: selector(random, around),
  classes: Array.from({ length: random.between(1, 3) }, (_, index) => ({
    id: `class${index}`,
    name: `Class ${index}`,
  })),
});

const makeTemplate: Make = (random, around) => ({
  type: "template-transform",
  template: random.pick(["Hi {{ a }}", "Hi", "{% if a %}Hi{% endif %}"]),
  variables: [{ variable: "a", value_selector: selector(random, around) }],
});

const makeEnd: Make = (random, around): JsonObject => {
  if (around.isChat || around.inner !== undefined)
    return { type: "answer", answer: random.pick(["Hi", `{{#${random.pick(around.others)}.text#}}`]) };
  return { type: "end", outputs: [{ variable: random.pick(["a", "b"]), value_selector: selector(random, around) }] };
};

const makeMany: Make = (random, around) => {
  if (around.inner !== undefined && random.chance(80)) return makeTemplate(random, around);
  return random.chance(50)
    ? {
        ...{
          type: "iteration",
          iterator_selector: selector(random, around),
          output_selector: selector(random, around),
        },
        ...{
          flatten_output: random.chance(30),
          error_handle_mode: random.pick(["terminated", "continue-on-error", "remove-abnormal-output"]),
        },
        is_parallel: random.chance(20),
      }
    : {
        ...{
          type: "loop",
          loop_count: 3,
          logical_operator: "and",
          break_conditions: random.chance(40) ? conditions(random, around) : [],
        },
        loop_variables: [{ label: "n", var_type: "number", value_type: "constant", value: "0" }],
      };
};

const makeHttp: Make = (random, { others }) => ({
  ...{
    type: "http-request",
    method: "get",
    url: random.pick(["https://example.com", `https://example.com/{{#${random.pick(others)}.x#}}`]),
  },
  ...(random.chance(50) ? { error_strategy: random.pick(["fail-branch", "fail-branch", "default-value"]) } : {}),
});

const makeLlm: Make = (random, around) => ({
  type: "llm",
  prompt_template: [{ role: "user", text: random.pick(["Hi", `{{#${random.pick(around.others)}.x#}}`]) }],
  ...(random.chance(25) ? { error_strategy: "fail-branch" } : {}),
});

const makeOther: Make = (random, around) =>
  random.pick<JsonObject>([
    { type: "code" },
    { type: "tool" },
    { type: "list-operator" },
    { type: "list-operator", variable: ["sys", "files"], item_var_type: "file" },
    { type: "document-extractor", variable_selector: random.pick([["sys", "files"], selector(random, around)]) },
  ]);

const MAKES: readonly Make[] = [
  ...Array<Make>(4).fill(makeIf),
  ...Array<Make>(3).fill(makeTemplate),
  ...Array<Make>(3).fill(makeEnd),
  ...Array<Make>(3).fill(makeMany),
  ...[makeLlm, makeLlm, makeClassifier, makeClassifier, makeHttp, makeHttp, makeOther],
  (random, around) => ({
    type: "variable-aggregator",
    variables: [selector(random, around), selector(random, around)],
  }),
  (random, around) => ({
    type: "assigner",
    items: [
      {
        variable_selector: random.pick<Json>([["conversation", "seen"], selector(random, around)]),
        operation: "over-write",
        input_type: "constant",
        value: "a",
      },
    ],
  }),
  (random, around) => ({
    type: "knowledge-retrieval",
    query_variable_selector: selector(random, around),
    dataset_ids: ["d"],
  }),
  () => ({
    type: "human-input",
    form_content: "OK?",
    user_actions: [
      { id: "yes", title: "Yes" },
      { id: "no", title: "No" },
    ],
  }),
  (random, around) => (around.inner === "loop" || random.chance(10) ? { type: "loop-end" } : makeEnd(random, around)),
  (random, around) => ({
    type: "parameter-extractor",
    query: selector(random, around),
    parameters: [{ name: "x", type: "string", required: random.chance(50) }],
  }),
];

export const generateNode: Make = (random, around) => random.pick(MAKES)(random, around);

/** The ways out that a node has, and sometimes one that it does not have. */
export function handlesOf({ data }: JsonObject): string[] {
  const { type, cases, classes, user_actions, error_strategy } = data as JsonObject; // cast: nodes have data
  const ids = (list: Json | undefined, key: string): string[] =>
    Array.isArray(list) ? list.map((one) => String((one as JsonObject)[key])) : []; // cast: written above
  const failed = error_strategy === "fail-branch" ? ["source", "fail-branch"] : ["source"];
  switch (type) {
    case "if-else":
      return [...ids(cases, "case_id"), "false"];
    case "question-classifier":
      return ids(classes, "id");
    case "human-input":
      return ids(user_actions, "id");
    default:
      return failed;
  }
}
