import Box from "@mui/material/Box";
import Paper from "@mui/material/Paper";
import Popper from "@mui/material/Popper";
import type { Json } from "@oven/contract";
import { type ReactElement, useEffect, useRef } from "react";
import type { Variable } from "../../inspector/variables.ts";
import { VariableRow } from "./variable-list.tsx";

export interface CompletionListProps {
  id: string;
  label: string;
  /** Where the cursor stands on the screen. */
  at: () => DOMRect;
  variables: readonly Variable[];
  /** The one that Enter takes. */
  lit: number;
  lastValue: (variable: Variable) => Json | undefined;
  onPick: (variable: Variable) => void;
}

/** What fits what is being typed, below the cursor. The keyboard stays with the text. */
export function CompletionList(props: CompletionListProps): ReactElement {
  const { id, label, at, variables, lit, lastValue, onPick } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[lit]?.scrollIntoView({ block: "nearest" });
  }, [lit]);
  return (
    <Popper
      open
      anchorEl={{ getBoundingClientRect: at }}
      placement="bottom-start"
      modifiers={[{ name: "offset", options: { offset: [0, 4] } }]}
      sx={{ zIndex: "modal", width: 400, maxWidth: "calc(100vw - 32px)" }}
    >
      <Paper elevation={6} sx={{ overflow: "hidden" }}>
        <Box
          component="ul"
          ref={list}
          id={id}
          role="listbox"
          aria-label={label}
          // It scrolls, so it can be reached; the pointer leaves the focus to the text all the same.
          tabIndex={0}
          onMouseDown={(event) => event.preventDefault()}
          sx={{ m: 0, p: 0.5, listStyle: "none", maxHeight: 260, overflowY: "auto", overflowX: "hidden" }}
        >
          {variables.map((variable, index) => (
            <Box
              component="li"
              key={variable.path}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === lit}
              onClick={() => onPick(variable)}
              sx={{
                px: 1,
                py: 0.5,
                borderRadius: 1,
                cursor: "pointer",
                bgcolor: index === lit ? "action.selected" : undefined,
                "&:hover": { bgcolor: "action.hover" },
              }}
            >
              <VariableRow variable={variable} value={lastValue(variable)} />
            </Box>
          ))}
        </Box>
      </Paper>
    </Popper>
  );
}
