import type { SimulatedScript } from "@oven/contract/ai";

const ORDER = '$.results["orders.get"]';

/** Looks the order and the policy up, writes a reply that uses both, and rewrites it when a reviewer says why. */
export const supportReplyScript: SimulatedScript = {
  name: "support-reply",
  rules: [
    {
      when: { last: "user", matches: "(?s)^A reviewer did not accept this reply: (.*)$" },
      reply: {
        text: [
          `Dear {{ ${ORDER}.customer | default("customer") }},`,
          "",
          "thank you for your patience, and please forgive us: you were right to ask.",
          `We are looking after {{ ${ORDER}.item | default("your request") }} ourselves now and will write to you again today with good news.`,
          "If you would rather have your money back, a short answer to this mail is enough.",
          "",
          "(Written again because the reviewer said: {{ $.match[1] }})",
          "",
          "Kind regards",
          "The bakery shop team",
        ].join("\n"),
        chunkMs: 10,
      },
    },
    {
      when: { last: "user", matches: "(?i)(?:order|no\\.?|#)\\D{0,12}(\\d{3,9})" },
      reply: {
        text: "I will look up the order and what we promise about deliveries.",
        toolCalls: [
          { tool: "orders.policy", arguments: { topic: "delivery" } },
          { tool: "orders.get", arguments: { orderId: { $cel: "int(ctx.match[1])" } } },
        ],
        chunkMs: 10,
      },
    },
    {
      when: { last: "user", matches: "(?i)damaged|broken|crack" },
      reply: {
        text: "I will read what we promise about damaged goods.",
        toolCalls: [{ tool: "orders.policy", arguments: { topic: "damage" } }],
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.policy" },
      reply: {
        text: 'Hello,\n\nwe are sorry that your parcel arrived like this. This is what we promise: "{{ $.results["orders.policy"].passages[0].text }}"\n\nPlease send us the photo and the number of your order, and the replacement leaves tomorrow.\n\nKind regards\nThe bakery shop team',
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"status":"late"' },
      reply: {
        text: [
          `Dear {{ ${ORDER}.customer }},`,
          "",
          `thank you for writing to us, and I am sorry: your order {{ ${ORDER}.orderId }} ({{ ${ORDER}.item }}) was promised for {{ ${ORDER}.promisedFor }} and is late. The carrier now expects to deliver it on {{ ${ORDER}.expectedFor }}.`,
          "",
          'Our policy is clear about this: "{{ $.results["orders.policy"].passages[0].text }}"',
          "",
          "Please just answer this mail and tell us which of the two you would like; we will arrange it the same day.",
          "",
          "Kind regards",
          "The bakery shop team",
        ].join("\n"),
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"status":"delivered"' },
      reply: {
        text: `Dear {{ ${ORDER}.customer }},\n\nyour order {{ ${ORDER}.orderId }} ({{ ${ORDER}.item }}) was delivered on {{ ${ORDER}.expectedFor }}. If it is not with you, please look with your neighbours and write to us again; we will find it.\n\nKind regards\nThe bakery shop team`,
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool", tool: "orders.get", matches: '"status":"processing"' },
      reply: {
        text: `Dear {{ ${ORDER}.customer }},\n\nyour order {{ ${ORDER}.orderId }} ({{ ${ORDER}.item }}) is being packed and will be with you on {{ ${ORDER}.expectedFor }}, as promised.\n\nKind regards\nThe bakery shop team`,
        chunkMs: 10,
      },
    },
    {
      when: { last: "tool" },
      reply: {
        text: "Hello,\n\nthank you for writing to us. We could not find an order with this number. Could you send us the number from your confirmation mail?\n\nKind regards\nThe bakery shop team",
        chunkMs: 10,
      },
    },
  ],
  otherwise: {
    text: "Hello,\n\nthank you for writing to us. Could you send us the number of your order, so that we can look it up?\n\nKind regards\nThe bakery shop team",
    chunkMs: 10,
  },
};
