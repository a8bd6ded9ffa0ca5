import { readFile } from "node:fs/promises";
import { GUIDE_TOPICS, type GuideTopic } from "@oven/contract/workflow";

const PAGES = new URL("../../../../docs/guides/", import.meta.url);

/** Where a topic stands among the guides: sections of a page by their headings; undefined is what comes before the first one. */
interface Place {
  page: string;
  about: string;
  sections?: readonly (string | undefined)[];
}

const FORMAT = "definition-format.md";

const PLACES: Readonly<Record<GuideTopic, Place>> = {
  overview: { page: FORMAT, about: "A whole definition, and how it is checked", sections: [undefined] },
  format: { page: FORMAT, about: "The keys at the top: payloadSchema, context, limits, …", sections: ["Top level"] },
  states: { page: FORMAT, about: "Kinds of states, transitions, errors, actions", sections: ["States"] },
  loops: { page: FORMAT, about: "forEach and while", sections: ["Loops"] },
  guards: { page: FORMAT, about: "Conditions of transitions", sections: ["Guards"] },
  expressions: {
    page: FORMAT,
    about: "Paths, templates, pipes: how a step reads earlier results",
    sections: ["Values"],
  },
  waiting: { page: FORMAT, about: "Outside events and timers", sections: ["Waiting"] },
  reviews: {
    page: "reviews.md",
    about: "Who decides a human review, how many, until when",
    sections: [undefined, "Who decides", "Deadlines"],
  },
  triggers: { page: "triggers.md", about: "What every trigger has", sections: ["What every trigger has"] },
  tests: { page: "past-runs.md", about: "Dry runs, pins, parts of a run", sections: ["Run a part, or without effect"] },
  evals: {
    page: "evals.md",
    about: "Test cases and what they expect of a run",
    sections: ["A dataset", "Expectations"],
  },
  cel: { page: "cel.md", about: "CEL: functions and types" },
  limits: { page: FORMAT, about: "How large a definition may be", sections: ["Limits and export"] },
  examples: { page: "definition-examples.md", about: "Whole definitions: classify and approve, a loop, a wait" },
};

/** A topic with its line in the list of topics. */
export interface GuideEntry {
  topic: GuideTopic;
  about: string;
}

/** The topics of the guide, in the order in which one reads them. */
export const GUIDE: readonly GuideEntry[] = GUIDE_TOPICS.map((topic) => ({ topic, about: PLACES[topic].about }));

/** What the guides say about a topic: Markdown. */
export async function readGuide(topic: GuideTopic): Promise<string> {
  const { page, sections } = PLACES[topic];
  const text = await readFile(new URL(page, PAGES), "utf8");
  return sections === undefined ? text : pick(text, sections).join("\n\n");
}

/** The sections with these headings, each with the smaller headings in it. */
function pick(text: string, sections: readonly (string | undefined)[]): string[] {
  const parts = text.split(/^(?=## )/m);
  return sections.flatMap((heading) => {
    const found = parts.find((part) =>
      heading === undefined ? !part.startsWith("## ") : part.startsWith(`## ${heading}\n`),
    );
    return found === undefined ? [] : [found.trim()];
  });
}
