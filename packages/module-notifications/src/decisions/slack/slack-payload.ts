import { OvenError, readJson } from "@oven/contract";
import { z } from "zod";
import { APPROVE, REASON, REJECT } from "./slack-blocks.ts";

const Id = z.string().min(1).max(64);

const User = z.looseObject({
  id: Id,
  name: z.string().optional(),
  username: z.string().optional(),
  team_id: Id.nullish(),
});
const Team = z.looseObject({ id: Id, domain: z.string().optional() }).nullish();

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const Press = z.looseObject({
  type: z.literal("block_actions"),
  user: User,
  team: Team,
  trigger_id: z.string().max(200).optional(),
  response_url: z.string().max(1_000).optional(),
  actions: z.array(z.looseObject({ action_id: z.string(), value: z.string().max(2_000).optional() })).min(1),
});
export type Press = z.output<typeof Press>;

/** https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
const Submission = z.looseObject({
  type: z.literal("view_submission"),
  user: User,
  team: Team,
  view: z.looseObject({
    callback_id: z.string(),
    private_metadata: z.string().max(3_000),
    state: z.looseObject({
      values: z.looseObject({
        [REASON]: z.looseObject({ [REASON]: z.looseObject({ value: z.string().max(3_000).nullish() }) }),
      }),
    }),
  }),
});
export type Submission = z.output<typeof Submission>;

const Carried = z.strictObject({ review: z.int().positive(), digest: z.string().max(128) });
const CarriedByWindow = Carried.extend({ responseUrl: z.string().max(1_000) });

/** What was pressed or sent, as far as it is ours. */
export type Interaction =
  | { does: "approve"; press: Press; carried: z.output<typeof Carried> }
  | { does: "ask-reason"; press: Press; carried: z.output<typeof Carried> }
  | { does: "reject"; submission: Submission; carried: z.output<typeof CarriedByWindow>; reason: string };

/**
 * Reads the body of a request of Slack, whose signature was checked.
 * @returns undefined: nothing to do, such as a button that only opens a page
 * @throws OvenError INVALID_REQUEST
 */
export function readInteraction(body: Uint8Array): Interaction | undefined {
  const payload = new URLSearchParams(new TextDecoder().decode(body)).get("payload");
  const given = parse(payload ?? "");
  const press = Press.safeParse(given).data;
  if (press !== undefined) return ofPress(press);
  const submission = Submission.safeParse(given).data;
  if (submission === undefined || submission.view.callback_id !== REJECT) return undefined;
  const { private_metadata: carried, state } = submission.view;
  const reason = state.values[REASON][REASON].value ?? "";
  return { does: "reject", submission, carried: CarriedByWindow.parse(parse(carried)), reason };
}

function ofPress(press: Press): Interaction | undefined {
  const [action] = press.actions;
  const does = action?.action_id === APPROVE ? "approve" : action?.action_id === REJECT ? "ask-reason" : undefined;
  if (does === undefined) return undefined;
  const carried = Carried.safeParse(parse(action?.value ?? "")).data;
  return carried && { does, press, carried };
}

function parse(text: string): unknown {
  try {
    return readJson(text).value;
  } catch (cause) {
    throw new OvenError("INVALID_REQUEST", "This is not what Slack sends", {
      status: 400,
      fix: "Set this address as the Request URL of Interactivity in the settings of the Slack app.",
      cause,
    });
  }
}
