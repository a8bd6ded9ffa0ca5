import AddCommentOutlined from "@mui/icons-material/AddCommentOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { Agent, ChatSession } from "@oven/contract/agent";
import type { ModelSettings } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PickInput } from "@oven/ui/components/pick/pick-input.tsx";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { ChatConversation } from "@oven/workflow-editor/conversation/chat-conversation.tsx";
import { toTitle } from "@oven/workflow-editor/conversation/chat-list.tsx";
import { Composer } from "@oven/workflow-editor/conversation/composer.tsx";
import { useMoveUnsentText } from "@oven/workflow-editor/conversation/unsent-text.ts";
import { type ReactElement, useId, useState } from "react";
import { useGetList } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { Labelled, NumberField } from "./agent-form.tsx";

interface Tried {
  model: string;
  temperature: string;
  maxOutputTokens: string;
  parameters: JsonObject;
}

/** Talking to the agent, with other settings where one may change it. The sessions are chats like any other. */
export function AgentPlayground({ agent }: { agent: Agent }): ReactElement {
  const [params, setParams] = useSearchParams();
  const chosen = Number(params.get("chat") ?? 0);
  const mayTalk = useCan("agents.invoke");
  const mayChat = useCan("chats.use");
  const { data, error, refetch } = useGetList<ChatSession>(
    "chat-sessions",
    {
      pagination: { page: 1, perPage: 50 },
      sort: { field: "updatedAt", order: "DESC" },
      filter: { targetKind: "agent", targetId: agent.id },
    },
    { enabled: mayTalk && mayChat, placeholderData: (before: unknown) => before as never }, // cast: the list as it was
  );
  const session = data?.find(({ id }) => id === chosen);
  const moveText = useMoveUnsentText();
  const show = (id: number | null): void => {
    const next = new URLSearchParams(params);
    if (id === null) next.delete("chat");
    else next.set("chat", String(id));
    setParams(next, { replace: id === null });
  };
  if (!mayTalk || !mayChat)
    return <Box sx={{ color: "text.secondary" }}>{t("You may see this agent, but not talk to it.")}</Box>;
  if (!agent.enabled)
    return <Box sx={{ color: "text.secondary" }}>{t("It is disabled. Enable it, then it can be talked to.")}</Box>;
  return (
    <Box sx={{ display: "flex", flexDirection: { xs: "column", lg: "row" }, gap: 2 }}>
      <Box
        sx={{
          display: "flex",
          flexDirection: "column",
          flex: 1,
          minWidth: 0,
          height: { xs: "72dvh", lg: "calc(100dvh - 250px)" },
          minHeight: 380,
          border: 1,
          borderColor: "divider",
          borderRadius: 2.5,
          overflow: "hidden",
        }}
      >
        <Box
          sx={{
            display: "flex",
            flexWrap: "wrap",
            gap: 1,
            alignItems: "center",
            p: 1,
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          <TextField
            select
            size="small"
            label={t("Session")}
            value={session === undefined ? "" : session.id}
            onChange={(event) => show(event.target.value === "" ? null : Number(event.target.value))}
            slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
            sx={{ flex: "1 1 180px", maxWidth: 420 }}
          >
            <MenuItem value="">{t("A new one")}</MenuItem>
            {(data ?? []).map((one) => (
              <MenuItem key={one.id} value={one.id}>
                {toTitle(one)}
              </MenuItem>
            ))}
          </TextField>
          {session === undefined ? null : (
            <Button startIcon={<AddCommentOutlined />} onClick={() => show(null)}>
              {t("New session")}
            </Button>
          )}
        </Box>
        {error ? <ErrorPanel error={error} title={t("Your sessions could not be read")} /> : null}
        {chosen !== 0 && data === undefined && !error ? (
          // What is written before the chosen session is there would begin another one.
          <Skeleton height={120} sx={{ m: 2 }} aria-label={t("Loading")} />
        ) : (
          <Talk
            key={session?.id ?? "new"}
            agent={agent}
            session={session}
            onBegun={async (id) => {
              await refetch();
              moveText(placeOf(agent), `chat.${id}`);
              show(id);
            }}
            onNews={() => void refetch()}
          />
        )}
      </Box>
    </Box>
  );
}

/** Where the first message of a session is written. */
const placeOf = (agent: Agent): string => `playground.${agent.id}`;

/** One session and, beside it, what its next answers are made with. */
function Talk({
  agent,
  session,
  onBegun,
  onNews,
}: {
  agent: Agent;
  session: ChatSession | undefined;
  onBegun: (id: number) => Promise<void>;
  onNews: () => void;
}): ReactElement {
  const [tried, setTried] = useState<Tried>(() => toTried(session));
  const [isValid, setIsValid] = useState(true);
  const begin = useAction(async (message: string) => {
    const body = {
      target: { kind: "agent", id: agent.id },
      parameters: tried.parameters,
      modelSettings: toModelSettings(tried),
    };
    const { id } = (await api("chat-sessions", { method: "POST", body })).json as ChatSession; // cast: the shape of the route
    try {
      const path = `chat-sessions/${id}/messages`;
      await api(path, { method: "POST", body: { message }, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      // A session in which nothing was said is of no use to anybody.
      await api(`chat-sessions/${id}`, { method: "DELETE" });
      throw failure;
    }
    await onBegun(id);
  });
  const apply = useAction(async () => {
    if (session === undefined) return;
    const body = { parameters: tried.parameters, modelSettings: toModelSettings(tried) };
    await api(`chat-sessions/${session.id}`, { method: "PUT", body });
    onNews();
  });
  const narrow = useIsNarrow();
  const changed = session !== undefined && JSON.stringify(toTried(session)) !== JSON.stringify(tried);
  return (
    <Box
      sx={{
        display: "flex",
        flexDirection: { xs: "column-reverse", md: "row" },
        flex: 1,
        minHeight: 0,
        overflow: "auto",
      }}
    >
      <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minWidth: 0, minHeight: { xs: 320, md: 0 } }}>
        {session === undefined ? (
          <>
            <Box sx={{ flex: 1, p: 2.5, overflowY: "auto", color: "text.secondary" }}>
              {t("Say something to {{agent}}. Each message is a run; what it calls and asks stands here.", {
                agent: agent.name,
              })}
              {begin.failure === null ? null : (
                <Box sx={{ mt: 2 }}>
                  <ErrorPanel error={begin.failure} title={t("The message was not sent")} />
                </Box>
              )}
            </Box>
            <Composer
              place={placeOf(agent)}
              label={t("Message to {{name}}", { name: agent.name })}
              placeholder={t("Message {{name}}", { name: agent.name })}
              blocked={isValid ? null : t("Something beside it is no value yet")}
              tellsWhy
              sending={begin.busy}
              onSend={begin.run}
              stop={null}
            />
          </>
        ) : (
          <ChatConversation session={session} onNews={onNews} />
        )}
      </Box>
      <Box
        component={narrow ? "details" : "section"}
        aria-label={t("For this session")}
        sx={{
          flex: "none",
          width: { md: 264 },
          p: 2,
          "& > summary": { cursor: "pointer", fontSize: 13, fontWeight: 550 },
          overflowY: "auto",
          borderLeft: { md: 1 },
          borderBottom: { xs: 1, md: 0 },
          borderColor: { xs: "divider", md: "divider" },
        }}
      >
        {narrow ? <summary>{t("Settings for this session")}</summary> : null}
        <Box sx={{ display: "grid", alignContent: "start", gap: 2, pt: narrow ? 1.5 : 0 }}>
          <Tries
            agent={agent}
            tried={tried}
            change={(more, valid = true) => {
              setTried((current) => ({ ...current, ...more }));
              setIsValid(valid);
            }}
          />
          {changed ? (
            <Button variant="outlined" loading={apply.busy} disabled={!isValid} onClick={() => void apply.run()}>
              {t("Use from the next message on")}
            </Button>
          ) : null}
          {apply.failure === null ? null : <ErrorPanel error={apply.failure} title={t("They were not taken")} />}
        </Box>
      </Box>
    </Box>
  );
}

function Tries({
  agent,
  tried,
  change,
}: {
  agent: Agent;
  tried: Tried;
  change: (more: Partial<Tried>, valid?: boolean) => void;
}): ReactElement {
  const mayChange = useCan("agents.update");
  const choices = useChoices("model", { workflow: undefined, kind: undefined });
  const id = useId();
  const { temperature, maxOutputTokens } = agent.agentConfig;
  return (
    <>
      {mayChange ? (
        <>
          <Labelled id={id} label={t("Model")} hint={t("For this session only.")}>
            <PickInput
              id={id}
              describedBy={`${id}-hint`}
              choices={choices}
              invalid={false}
              placeholder={agent.model ?? t("fast")}
              value={tried.model}
              onChange={(model) => change({ model })}
            />
          </Labelled>
          <NumberField
            label={t("Temperature")}
            value={tried.temperature}
            min={0}
            max={2}
            step={0.1}
            placeholder={temperature === undefined ? t("as configured") : String(temperature)}
            onChange={(typed) => change({ temperature: typed })}
          />
          <NumberField
            label={t("Most tokens of an answer")}
            value={tried.maxOutputTokens}
            min={1}
            step={1}
            placeholder={maxOutputTokens === undefined ? t("as configured") : String(maxOutputTokens)}
            onChange={(typed) => change({ maxOutputTokens: typed })}
          />
        </>
      ) : null}
      {agent.exposedParameters === null ? (
        mayChange ? null : (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("This agent takes no parameters.")}</Box>
        )
      ) : (
        <SchemaForm
          schema={agent.exposedParameters}
          value={tried.parameters}
          label={t("Parameters")}
          onChange={(value, valid) => change({ parameters: value as JsonObject }, valid)} // cast: the form of an object gives one
        />
      )}
    </>
  );
}

function toTried(session: ChatSession | undefined): Tried {
  const { model = "", temperature, maxOutputTokens } = session?.modelSettings ?? {};
  return {
    model,
    temperature: temperature === undefined ? "" : String(temperature),
    maxOutputTokens: maxOutputTokens === undefined ? "" : String(maxOutputTokens),
    parameters: session?.parameters ?? {},
  };
}

function toModelSettings({ model, temperature, maxOutputTokens }: Tried): ModelSettings {
  return {
    ...(model.trim() === "" ? {} : { model: model.trim() }),
    ...(temperature === "" ? {} : { temperature: Number(temperature) }),
    ...(maxOutputTokens === "" ? {} : { maxOutputTokens: Number(maxOutputTokens) }),
  };
}
