import type { SimulatedScript } from "@oven/contract/ai";

const ORDER = '$.results["orders.get"]';

/** Looks the order up, proposes a refund when it is late, and tells the customer what was decided. */
export const refundScript: SimulatedScript = {
  name: "refund",
  rules: [
    {
      when: { last: "user", matches: "(?s)^A person declined the refund: (.*)$" },
      reply: {
        text: "We looked at your request and cannot pay this refund as it stands: {{ $.match[1] }} Please answer this message, and we will find another solution together.",
        chunkMs: 10,
      },
    },
    {
      when: { last: "user", matches: "(?i)(?:order|no\\.?|#)\\D{0,12}(\\d{3,9})" },
      reply: {
        text: "I will look up the order.",
        toolCalls: [{ tool: "orders.get", arguments: { orderId: { $cel: "int(ctx.match[1])" } } }],
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"status":"late".*"refundableCents":[1-9]' },
      reply: {
        text: `Order {{ ${ORDER}.orderId }} was promised for {{ ${ORDER}.promisedFor }} and is expected on {{ ${ORDER}.expectedFor }}. Our policy gives the customer a full refund, so I propose one.`,
        toolCalls: [
          {
            tool: "orders.refund",
            arguments: {
              orderId: `${ORDER}.orderId`,
              amountCents: `${ORDER}.refundableCents`,
              reason: "Delivery more than three days late",
            },
          },
        ],
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"orderId"' },
      reply: { text: "This order is not late, or was refunded before, so there is nothing to pay back.", chunkMs: 10 },
    },
    {
      when: { last: "tool", tool: "orders.refund", matches: '"refundedCents":' },
      reply: {
        text: "Your refund is on its way: it goes back to the card that paid within five working days. We are sorry for the delay.",
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool" },
      reply: { text: "That did not work: {{ $.last }} A colleague will look into it and write to you.", chunkMs: 10 },
    },
  ],
  otherwise: { text: "Could you tell me the number of the order you would like a refund for?", chunkMs: 10 },
};
