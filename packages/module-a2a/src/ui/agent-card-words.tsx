import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import type { A2aCard } from "../shapes.ts";

/** A card in the words of the agent's operator. */
export function AgentCardWords({ card }: { card: A2aCard }): ReactElement {
  const { name, description, skills, interfaces } = card;
  return (
    <Box sx={{ display: "grid", gap: 1, overflowWrap: "anywhere" }}>
      <Typography variant="subtitle2">{name}</Typography>
      <Typography variant="body2" sx={{ whiteSpace: "pre-wrap" }}>
        {description === "" ? t("(no description)") : description}
      </Typography>
      <Box component="ul" aria-label={t("Skills")} sx={{ m: 0, pl: 2.5 }}>
        {skills.map((skill) => (
          <Typography key={skill.id} component="li" variant="body2" sx={{ whiteSpace: "pre-wrap" }}>
            <b>{skill.name}</b> {skill.description}
          </Typography>
        ))}
      </Box>
      {interfaces.map(({ url, binding, version }) => (
        <Box key={`${url} ${binding} ${version}`} sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>
          {`${binding} ${version} ${url}`}
        </Box>
      ))}
    </Box>
  );
}
