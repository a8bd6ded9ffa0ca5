import type { SimulatedScript } from "@oven/contract/ai";

/** Sorts a message into a category, with how urgent it is. */
export const orderTriageScript: SimulatedScript = {
  name: "order-triage",
  rules: [
    {
      when: { last: "user", matches: "(?i)late|where is|not arrived|waiting" },
      reply: {
        object: { category: "delivery", urgent: true, summary: "The customer is waiting for a parcel that is late." },
      },
    },
    {
      when: { last: "user", matches: "(?i)broken|damaged|refund|money back" },
      reply: {
        object: { category: "refund", urgent: true, summary: "The customer wants money back or a replacement." },
      },
    },
  ],
  otherwise: {
    object: {
      category: "question",
      urgent: false,
      summary: "A general question that can wait for the next working day.",
    },
  },
};
