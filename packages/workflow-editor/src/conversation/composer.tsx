import SendRounded from "@mui/icons-material/SendRounded";
import StopRounded from "@mui/icons-material/StopRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { type FormEvent, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useUnsentText } from "./unsent-text.ts";

export interface ComposerProps {
  /** The accessible name of the form: whom the message goes to. */
  label: string;
  /** Where it is written, such as `chat.12`: text that is not sent yet is stored under it. */
  place: string;
  /**
   * False while what decides whether something can be sent is still being read. What is sent meanwhile is on its way: it goes out once
   * this is true, or stays in the field where it is `blocked` then. Absent: true.
   */
  ready?: boolean;
  /** Why nothing can be sent just now; null: something can. */
  blocked: string | null;
  /** Whether `blocked` is shown beside the field; what is visible anyway need not be. */
  tellsWhy?: boolean;
  sending: boolean;
  /** Answers false when it was not sent: the text is there again. */
  onSend: (message: string) => Promise<boolean>;
  /** What stands in the field at first, in place of stored text. */
  initial?: string;
  /** While an answer is made. */
  stop: { busy: boolean; run: () => void } | null;
  placeholder?: string;
  autoFocus?: boolean;
  before?: ReactNode;
  after?: ReactNode;
}

/** Where a message is written: Enter sends, Shift+Enter breaks the line. Stays at the lower edge. */
export function Composer(props: ComposerProps): ReactElement {
  const { label, blocked, tellsWhy = false, sending, onSend, stop, placeholder, autoFocus, before, after } = props;
  const { place, initial = "", ready = true } = props;
  const { found, keep, giveBack } = useUnsentText(place);
  const [text, setText] = useState(initial === "" ? found : initial);
  const [isWanted, setIsWanted] = useState(false);
  const send = (): void => {
    const message = text.trim();
    if (message === "" || sending) return;
    if (!ready) {
      setIsWanted(true);
      return;
    }
    if (blocked !== null || stop !== null) return;
    setText("");
    void onSend(message).then((sent) => {
      if (sent) return;
      giveBack(message);
      setText((now) => (now === "" ? message : now));
    });
  };
  useEffect(() => keep(text), [keep, text]);
  useEffect(() => {
    if (!isWanted || !ready) return;
    setIsWanted(false);
    send();
  });
  return (
    <Box
      component="form"
      aria-label={label}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 1,
        display: "flex",
        flexWrap: "wrap",
        alignItems: "flex-end",
        gap: 1,
        p: 1.25,
        borderTop: 1,
        borderColor: "divider",
        bgcolor: "background.paper",
      }}
    >
      {before}
      <TextField
        size="small"
        label={t("Message")}
        multiline
        maxRows={8}
        value={text}
        autoFocus={autoFocus === true}
        {...(placeholder === undefined ? {} : { placeholder })}
        onChange={(event) => {
          setText(event.target.value);
          // Half of the next sentence is not sent with the one before.
          setIsWanted(false);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        sx={{ flex: "1 1 220px" }}
      />
      {stop !== null ? (
        <Button
          variant="outlined"
          startIcon={<StopRounded />}
          loading={stop.busy}
          onClick={stop.run}
          sx={{ minHeight: 40 }}
        >
          {t("Stop")}
        </Button>
      ) : (
        <Button
          type="submit"
          variant="contained"
          startIcon={<SendRounded />}
          loading={sending || isWanted}
          disabled={text.trim() === "" || (ready && blocked !== null)}
          sx={{ minHeight: 40 }}
        >
          {t("Send")}
        </Button>
      )}
      {after}
      {tellsWhy && ready && blocked !== null ? (
        <Box sx={{ width: "100%", fontSize: 13, color: "text.secondary" }}>{blocked}.</Box>
      ) : null}
    </Box>
  );
}
