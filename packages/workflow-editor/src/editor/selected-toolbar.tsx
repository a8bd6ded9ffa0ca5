import { findState } from "@oven/scope";
import { NodeToolbar, Position } from "@xyflow/react";
import type { ReactElement } from "react";
import type { CommandContext } from "./command-context.ts";
import { COMMANDS, runCommand } from "./commands.ts";
import { selectedStates } from "./selected.ts";

/** Above the one state that is selected: what is done most. */
export function SelectedToolbar({ context }: { context: CommandContext }): ReactElement | null {
  const [id, ...others] = selectedStates(context);
  if (id === undefined || others.length > 0 || findState(context.drawn.document, id) === undefined) return null;
  return (
    <NodeToolbar nodeId={id} isVisible position={Position.Top} align="end" className="oven-toolbar nodrag nopan">
      {COMMANDS.filter((command) => command.in?.includes("toolbar")).map((command) => (
        <button
          key={command.id}
          type="button"
          title={command.title}
          aria-label={`${command.title} ${id}`}
          onClick={() => runCommand(command, context)}
        >
          <ToolbarIcon id={command.id} />
        </button>
      ))}
    </NodeToolbar>
  );
}

const ICONS: Record<string, string> = {
  duplicate: "M9 9h11v11H9zM5 15H4V4h11v1",
  disable: "M12 3v9M6.3 7a8 8 0 1 0 11.4 0",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
};

function ToolbarIcon({ id }: { id: string }): ReactElement {
  return (
    <svg
      width={15}
      height={15}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={ICONS[id]} />
    </svg>
  );
}
