import { escapeSlack } from "@oven/module-notifications";

const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/;

/**
 * Markdown as Slack's mrkdwn. What would mention people or hide where a link goes is shown as text. https://docs.slack.dev/messaging/formatting-message-text
 */
export function toMrkdwn(markdown: string): string {
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? escapeSlack(withoutLanguage(part)) : toMarks(escapeSlack(part))))
    .join("");
}

function toMarks(text: string): string {
  return (
    text
      .replace(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, "*$1*")
      .replace(/^([ \t]*)[-*+][ \t]+/gm, "$1• ")
      // A link says where it goes, so that no label stands for another address.
      .replace(/!?\[([^\]\n]*)\]\(([^\s)]+)(?:[ \t]+&quot;[^)]*)?\)/g, (_, label: string, url: string) =>
        label === url || label === "" ? url : `${label} (${url})`,
      )
      .replace(/\*\*\*(\S(?:[^\n]*?\S)?)\*\*\*/g, "*_$1_*")
      .replace(/\*\*(\S(?:[^\n]*?\S)?)\*\*/g, "*$1*")
      .replace(/__(\S(?:[^\n]*?\S)?)__/g, "*$1*")
      .replace(/~~(\S(?:[^\n]*?\S)?)~~/g, "~$1~")
  );
}

/** Slack would show the name of the language as code. */
function withoutLanguage(code: string): string {
  return code.replace(/^```[\w+-]+\n/, "```\n");
}

/** What a person wrote, from Slack's own spelling. @param bot the bot's own id, whose mention is left out */
export function fromSlackText(text: string, bot: string | undefined): string {
  return text
    .replace(/<([^<>\n]*)>/g, (_, inside: string) => {
      const [target = "", label] = inside.split("|", 2);
      if (target === `@${bot}`) return "";
      if (/^[@#!]/.test(target)) return label ?? target;
      return label === undefined || label === target ? target : `${label} (${target})`;
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}
