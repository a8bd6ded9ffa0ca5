import type { SimulatedScript } from "@oven/contract/ai";

const ORDER = '$.results["orders.get"]';

/** Looks an order up, or reads the policy, and says what it found. */
export const shopAssistantScript: SimulatedScript = {
  name: "shop-assistant",
  rules: [
    {
      when: { last: "user", matches: "(\\d{3,9})" },
      reply: {
        text: "I look it up.",
        toolCalls: [{ tool: "orders.get", arguments: { orderId: { $cel: "int(ctx.match[1])" } } }],
        chunkMs: 10,
      },
    },
    {
      when: { last: "user", matches: "(?i)refund|money back" },
      reply: {
        text: "I read what we promise.",
        toolCalls: [{ tool: "orders.policy", arguments: { topic: "refunds" } }],
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"orderId":' },
      reply: {
        text: `Order {{ ${ORDER}.orderId }} ({{ ${ORDER}.item }}) is {{ ${ORDER}.status }}; it is expected on {{ ${ORDER}.expectedFor }}.`,
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.policy" },
      reply: { text: '{{ $.results["orders.policy"].passages[0].text }}', chunkMs: 10 },
    },
    { when: { last: "tool" }, reply: { text: "I found no order with this number.", chunkMs: 10 } },
  ],
  otherwise: { text: "Ask me about an order, by its number, or about refunds.", chunkMs: 10 },
};
