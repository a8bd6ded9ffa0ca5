import type { Workflow } from "@oven/contract";
import type { ReactElement } from "react";
import { useDataProvider, useNotify, useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";
import { PageHeader } from "../../components/page-header.tsx";
import { WorkflowForm } from "./workflow-form.tsx";

/** A small workflow that is valid as it stands: one model, one person, two ends. */
const STARTER = {
  initial: "draft",
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string", title: "Message" } },
    required: ["message"],
  },
  agentConfig: { model: "fast" },
  states: {
    draft: {
      label: "Draft an answer",
      invoke: {
        src: "agent.llm",
        input: { prompt: "Answer this message in three sentences: {{ $.trigger.message }}" },
        onDone: "review",
        onError: "failed",
      },
    },
    review: {
      label: "Check the answer",
      invoke: {
        src: "agent.humanReview",
        input: { show: "$.draft_output.text" },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "rejected" },
        ],
      },
    },
    done: { type: "final", output: "$.review_output.data" },
    rejected: { type: "final", outcome: "rejected" },
    failed: { type: "final", outcome: "failed" },
  },
};

const EMPTY = {
  name: "",
  slug: "",
  description: "",
  enabled: true,
  mcpExport: false,
  note: "",
  text: JSON.stringify(STARTER, null, 2),
  baseVersion: 0,
};

export function WorkflowCreate(): ReactElement {
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title="New agent workflow"
        parent={{ to: "/agent-workflows", label: "Agent Workflows" }}
        line="A small one to begin with: change it, or paste your own."
      />
      <WorkflowForm
        initial={EMPTY}
        draftKey="new"
        creating
        cancelTo="/agent-workflows"
        save={async (draft, definition) => {
          const { data } = await dataProvider.create<Workflow>("agent-workflows", {
            data: {
              name: draft.name,
              ...(draft.slug === "" ? {} : { slug: draft.slug }),
              description: draft.description === "" ? null : draft.description,
              enabled: draft.enabled,
              mcpExport: draft.mcpExport,
              definition,
            },
          });
          notify(`“${data.name}” was created`, { type: "success" });
          void navigate(`/agent-workflows/${data.id}/show`);
          refresh();
        }}
      />
    </>
  );
}
