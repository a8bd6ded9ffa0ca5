import ForumOutlined from "@mui/icons-material/ForumOutlined";
import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { JsonObject } from "@oven/contract";
import type { ChatSession, ChatTarget } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { Composer } from "@oven/workflow-editor/conversation/composer.tsx";
import { useMoveUnsentText } from "@oven/workflow-editor/conversation/unsent-text.ts";
import { type ReactElement, useState } from "react";
import { useStore } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { AS_READ, canBeTalkedTo, TARGET_WORDS, toNewChat, toTargetKey } from "./chat-target.ts";
import { ReadingFields } from "./reading-fields.tsx";

/** Whom to talk to, and the first message. */
export function NewChat({ onBegun }: { onBegun: (session: ChatSession) => void }): ReactElement {
  const { data: targets, error } = useAnswer<ChatTarget[]>("chat-targets");
  const [params, setParams] = useSearchParams();
  const [last, setLast] = useStore<string>("chat.with", "");
  const wanted = params.get("with") ?? last;
  const target =
    targets?.find((one) => toTargetKey(one) === wanted) ?? targets?.find((one) => one.misfit === null) ?? null;
  if (error)
    return (
      <Box sx={{ p: 2 }}>
        <ErrorPanel error={error} title={t("It could not be read whom you may talk to")} />
      </Box>
    );
  if (targets === undefined) return <Skeleton height={120} sx={{ m: 2 }} aria-label={t("Loading")} />;
  if (target === null)
    return (
      <EmptyState
        icon={<ForumOutlined />}
        title={t("There is nobody to talk to yet")}
        text={t("Create an agent, or a workflow whose input takes a text. Then you can chat with it here.")}
      />
    );
  const key = toTargetKey(target);
  return (
    <FirstMessage
      key={key}
      target={target}
      targets={targets}
      onChoose={(chosen) => {
        setLast(toTargetKey(chosen));
        setParams({ with: toTargetKey(chosen) }, { replace: true });
      }}
      onBegun={onBegun}
    />
  );
}

function FirstMessage({
  target,
  targets,
  onChoose,
  onBegun,
}: {
  target: ChatTarget;
  targets: readonly ChatTarget[];
  onChoose: (target: ChatTarget) => void;
  onBegun: (session: ChatSession) => void;
}): ReactElement {
  const narrow = useIsNarrow();
  const moveText = useMoveUnsentText();
  const [given, setGiven] = useState<JsonObject>({});
  const [isValid, setIsValid] = useState(true);
  const [reading, setReading] = useState(AS_READ);
  const begin = useAction(async (message: string) => {
    const { json } = await api("chat-sessions", { method: "POST", body: toNewChat(target, given, reading) });
    const session = json as ChatSession; // cast: the shape of the route
    try {
      const path = `chat-sessions/${session.id}/messages`;
      await api(path, { method: "POST", body: { message }, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      // A chat in which nothing was said is of no use to anybody.
      await api(`chat-sessions/${session.id}`, { method: "DELETE" });
      throw failure;
    }
    moveText(PLACE, `chat.${session.id}`);
    onBegun(session);
  });
  const needed = Array.isArray(target.parameters?.required) ? target.parameters.required : [];
  const missing = needed.filter((name) => typeof name === "string" && !Object.hasOwn(given, name));
  const fits = canBeTalkedTo(target);
  return (
    <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}>
      <Box sx={{ flex: 1, overflowY: "auto" }}>
        <Box sx={{ display: "grid", gap: 2, maxWidth: 560, mx: "auto", px: { xs: 1.5, md: 3 }, py: { xs: 3, md: 8 } }}>
          <Typography variant="h1" component="h2">
            {t("Start with …")}
          </Typography>
          <Autocomplete
            options={targets.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))}
            value={target}
            disableClearable
            groupBy={({ kind }) => TARGET_WORDS[kind]}
            getOptionLabel={({ name }) => name}
            getOptionKey={toTargetKey}
            isOptionEqualToValue={(one, other) => toTargetKey(one) === toTargetKey(other)}
            getOptionDisabled={(one) => !canBeTalkedTo(one)}
            onChange={(_, chosen) => onChoose(chosen)}
            renderOption={({ key, ...props }, option) => (
              <Box component="li" key={key} {...props} sx={{ display: "block !important" }}>
                {option.name}
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{option.misfit ?? option.description}</Box>
              </Box>
            )}
            renderInput={(input) => <TextField {...input} label={t("Agent or workflow")} />}
          />
          {target.description === null ? null : <Typography color="text.secondary">{target.description}</Typography>}
          {target.remembers ? null : (
            <Typography color="text.secondary">
              {t(
                "Each message stands alone: the input takes no conversation, so it does not know what was said before.",
              )}
            </Typography>
          )}
          {target.parameters === null ? null : (
            <Box sx={{ display: "grid", gap: 1.5 }}>
              <Typography variant="h3" component="p">
                {t("For the whole chat")}
              </Typography>
              <SchemaForm
                schema={target.parameters}
                value={given}
                label={t("For the whole chat")}
                onChange={(value, valid) => {
                  setGiven(value as JsonObject); // cast: the form of an object gives one
                  setIsValid(valid);
                }}
              />
            </Box>
          )}
          {target.kind === "agent" ? null : (
            <ReadingFields mapping={target.mapping} value={reading} onChange={setReading} />
          )}
          {fits ? null : <Typography color="text.secondary">{target.misfit}</Typography>}
          {begin.failure === null ? null : <ErrorPanel error={begin.failure} title={t("The chat did not begin")} />}
        </Box>
      </Box>
      <Box sx={{ maxWidth: 860, width: "100%", mx: "auto" }}>
        <Composer
          place={PLACE}
          label={t("Message to {{name}}", { name: target.name })}
          placeholder={t("Message {{name}}", { name: target.name })}
          blocked={
            !fits
              ? t("It cannot be talked to as it is")
              : missing.length > 0
                ? t("Give {{fields}} first", { fields: missing.join(", ") })
                : isValid
                  ? null
                  : t("Something above is no value yet")
          }
          tellsWhy
          sending={begin.busy}
          onSend={begin.run}
          stop={null}
          autoFocus={!narrow}
        />
      </Box>
    </Box>
  );
}

/** The first message stays when another target is chosen. */
const PLACE = "chat.new";
const ORDER = ["agent", "agent-workflow", "workflow"];
