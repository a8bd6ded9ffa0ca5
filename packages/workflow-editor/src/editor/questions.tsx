import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { canConnect } from "../document/can-connect.ts";
import { type PaletteItem, searchPalette } from "../document/new-states.ts";
import { addOutcome, type NewOutcome, refuseOutcome } from "../document/operations/add-outcome.ts";
import { connect } from "../document/operations/connect.ts";
import { replaceNode } from "../document/operations/replace-node.ts";
import type { GraphNode } from "../graph/graph-model.ts";
import { nodesById } from "../layout/placement.ts";
import { type Choice, Chooser } from "./chooser.tsx";
import type { CommandContext, Question } from "./command-context.ts";
import { COMMANDS, runCommand } from "./commands.ts";
import { addAfter, insertOn, isFree } from "./gestures.ts";
import { KeySheet } from "./key-sheet.tsx";
import { formatKeys } from "./keys.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { SearchDialog } from "./search-dialog.tsx";
import { TextDialog } from "./text-dialog.tsx";

export interface QuestionsProps {
  question: Question;
  context: CommandContext;
  items: readonly PaletteItem[];
  /** Which outlet of a state is to be led on; asked first when it has several. */
  outlet: string | null;
  onOutlet: (handleId: string) => void;
  onExtract: (ids: readonly string[], name: string) => void;
  onClose: () => void;
}

const OUTCOMES: Record<NewOutcome, { label: string; field: string; hint: string; submit: string }> = {
  branch: {
    label: t("Add a branch"),
    field: t("When (CEL)"),
    hint: t("For example ctx.total > 10 && trigger.vip. Draw its line from the new handle."),
    submit: "Add",
  },
  event: {
    label: t("Add an event"),
    field: "Event",
    hint: t("Its name, or a pattern such as orders.*"),
    submit: "Add",
  },
  timer: {
    label: t("Add a timer"),
    field: "After",
    hint: t("Milliseconds, or a duration such as PT15M or P1D"),
    submit: "Add",
  },
};

const isNode = ({ group }: PaletteItem): boolean => group !== "Structure";

export function toChoice({ id, title, docs, group, kind, look }: PaletteItem): Choice {
  return { id, title, text: docs.split("\n")[0] ?? "", group, kind, look };
}

/** What is asked before a command can be done. */
export function Questions(props: QuestionsProps): ReactElement | null {
  const { question, context, items, onExtract, onClose } = props;
  const { store, drawn } = context;
  switch (question.ask) {
    case "keys":
      return <KeySheet onClose={onClose} />;
    case "rename":
      return (
        <RenameDialog
          document={drawn.document}
          id={question.id}
          onRename={(result) => store.apply(t("Rename {{id}}", { id: question.id }), result)}
          onClose={onClose}
        />
      );
    case "add":
      return (
        <Chooser
          label={t("Add a state")}
          placeholder={t("What comes next?")}
          choices={items.map(toChoice)}
          search={(query) => searchPalette(items, query).map(toChoice)}
          onClose={onClose}
          onChoose={(id) => {
            const item = items.find((entry) => entry.id === id);
            if (item === undefined) return;
            const edge = drawn.model.edges.find((entry) => entry.id === question.edge);
            const result = edge === undefined ? addAfter(drawn, item, question.after) : insertOn(drawn, edge, item);
            store.apply(t("Add {{title}}", { title: item.title }), result);
          }}
        />
      );
    case "replace":
      return (
        <Chooser
          label={t("Replace {{id}}", { id: question.id })}
          placeholder={t("By which node?")}
          choices={items.filter(isNode).map(toChoice)}
          search={(query) => searchPalette(items.filter(isNode), query).map(toChoice)}
          onClose={onClose}
          onChoose={(id) => {
            const item = items.find((entry) => entry.id === id);
            if (item !== undefined)
              store.apply(
                t("Replace {{id}}", { id: question.id }),
                replaceNode(drawn.document, question.id, item.make()),
              );
          }}
        />
      );
    case "find":
      return <SearchDialog context={context} onClose={onClose} />;
    case "commands":
      return (
        <Chooser
          label={t("Commands")}
          placeholder={t("What do you want to do?")}
          choices={COMMANDS.filter(({ id }) => id !== "commands").map((command) => ({
            id: command.id,
            title: command.title,
            group: command.group,
            refused: command.refuse?.(context) ?? null,
            ...(command.keys?.[0] === undefined ? {} : { hint: formatKeys(command.keys[0]) }),
          }))}
          onClose={onClose}
          onChoose={(id) => {
            const command = COMMANDS.find((entry) => entry.id === id);
            if (command !== undefined) runCommand(command, context);
          }}
        />
      );
    case "outcome":
      return (
        <TextDialog
          {...OUTCOMES[question.kind]}
          label={`${OUTCOMES[question.kind].label} (${question.id})`}
          refuse={(text) => refuseOutcome(question.kind, text)}
          onSubmit={(text) =>
            void store.apply(
              `${OUTCOMES[question.kind].label} (${question.id})`,
              addOutcome(drawn.document, question.id, question.kind, text),
            )
          }
          onClose={onClose}
        />
      );
    case "extract":
      return (
        <TextDialog
          label={t("Make a workflow of these states")}
          field="Name of the new workflow"
          hint={t("It is created and published at once; a state that calls it takes their place.")}
          submit="Create"
          refuse={(text) => (text.trim() === "" ? t("Give it a name") : null)}
          onSubmit={(text) => onExtract(question.ids, text.trim())}
          onClose={onClose}
        />
      );
    case "connect":
      return <ConnectQuestion {...props} from={question.from} />;
  }
}

function toStateChoice(node: GraphNode): Choice {
  return {
    id: node.id,
    title: node.label,
    text: [node.title, node.summary].filter(Boolean).join(" · "),
    hint: node.id,
    kind: node.kind,
    look: node.look,
  };
}

/** First from which outcome, when there are several, then to which state; those that cannot be are shown with the reason. */
function ConnectQuestion({
  context,
  from,
  outlet,
  onOutlet,
  onClose,
}: QuestionsProps & { from: string }): ReactElement | null {
  const { store, drawn } = context;
  const handles = nodesById(drawn.model).get(from)?.handles ?? [];
  const [only] = handles.length === 1 ? handles : [];
  const chosen = handles.find(({ id }) => id === outlet) ?? only;
  if (chosen === undefined) {
    return (
      <Chooser
        key="outlet"
        label={t("Connect {{from}}: from which outcome?", { from })}
        placeholder={t("From which outcome of {{from}}?", { from })}
        empty={t("Nothing leads on from an end")}
        choices={[...handles]
          .sort((one, other) => Number(isFree(other)) - Number(isFree(one)))
          .map((handle) => ({
            id: handle.id,
            title: handle.label || t("then"),
            text: handle.outlet.transition?.target
              ? t("leads to {{target}} now", { target: handle.outlet.transition.target })
              : t("leads nowhere yet"),
          }))}
        onClose={onClose}
        onChoose={onOutlet}
      />
    );
  }
  return (
    <Chooser
      key="target"
      label={t("Connect {{from}} ({{outlet}}): to which state?", { from, outlet: chosen.label || "then" })}
      placeholder={t("From {{from}}, {{outlet}}: to which state?", { from, outlet: chosen.label || "then" })}
      choices={drawn.model.nodes
        .filter(({ shape, id }) => !["start", "workflow", "missing"].includes(shape) && id !== from)
        .map((node) => {
          const verdict = canConnect(drawn.document, from, node.id);
          return { ...toStateChoice(node), refused: verdict.ok ? null : verdict.reason };
        })
        .sort((one, other) => Number(one.refused !== null) - Number(other.refused !== null))}
      onClose={onClose}
      onChoose={(id) =>
        store.apply(t("Connect {{from}} to {{id}}", { from, id }), connect(drawn.document, chosen.outlet, id))
      }
    />
  );
}
