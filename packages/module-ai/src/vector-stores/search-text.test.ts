import { SYSTEM_PRINCIPAL } from "@oven/contract";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countWords, type OpenStores, openStores } from "../embeddings/testing/open-stores.ts";
import { refreshSearch } from "./refresh-search.ts";
import { toSearchQuery, toSearchText } from "./search-text.ts";

const call = { caller: { tenantId: SYSTEM_PRINCIPAL.tenantId, userId: null } };

describe("a text for the search by words", () => {
  it.each([
    ["退货政策", " 退货 货政 政策 策 "],
    ["in 三十天内!", "in  三十 十天 天内 内 !"],
    ["返品、サーバー", " 返品 品 サー ーバ バー ー "],
    ["Cafe\u0301 STRASSE Straße", "café strasse strasse"],
    ["ﬁle Ａ１", "file a1"],
    ["مُضاعَف مـــدة", "مضاعف مدة"],
    ["ΟΔΟΣ", "οδος"],
    ["犬", " 犬 "],
  ])("%j becomes %j", (text, prepared) => {
    expect(toSearchText(text)).toBe(prepared);
  });

  it("asks for the pairs, and for a single character as the beginning of one", () => {
    expect(toSearchQuery("退货政策")).toEqual({ text: " 退货 货政 政策 ", beginnings: [] });
    expect(toSearchQuery("犬 -猫猫")).toEqual({ text: "  - 猫猫 ", beginnings: ["犬"] });
  });
});

describe("a store of many scripts", () => {
  let stores: OpenStores;
  let db: Awaited<ReturnType<typeof createTestPglite>>;
  const texts = {
    zh: "退货政策:客户可以在三十天内退货,运费由我们承担。",
    ja: "返品は三十日以内に受け付けます。",
    dog: "庭に犬がいる、大きな犬",
    th: "ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวัน",
    ko: "고객은 삼십일 이내에 환불을 받을 수 있습니다.",
    nfd: "Cafe\u0301 Mu\u0308nchen, Hauptstraße",
    ar: "أجر العمل في العطلة مُضَاعَف.",
  };
  const find = async (query: string) => {
    const { matches } = await stores.services.vectorStores.query(
      "scripts",
      { query, mode: "text", topK: 3, rerank: false },
      call,
    );
    return matches.map(({ key }) => key);
  };

  beforeAll(async () => {
    db = await createTestPglite();
    stores = await openStores(db, { embed: countWords("a") });
    await stores.services.vectorStores.create(
      { name: "Scripts", slug: "scripts", embeddingModel: "openai:house-embed", metric: "cosine", language: "simple" },
      call,
    );
    const items = Object.entries(texts).map(([key, text]) => ({ key, text }));
    await stores.services.vectorStores.upsert("scripts", items, call);
  });
  afterAll(async () => {
    await stores.close();
    await db.close();
  });

  const ASKED: [string, keyof typeof texts][] = [
    ["退货", "zh"],
    ["运费", "zh"],
    ['"三十天内"', "zh"],
    ["返品", "ja"],
    ["犬", "dog"],
    ["คืนสินค้า", "th"],
    ["환불", "ko"],
    ["Café", "nfd"],
    ["München".normalize("NFC"), "nfd"],
    ["HAUPTSTRASSE", "nfd"],
    ["مضاعف", "ar"],
  ];
  it.each(ASKED)("%s is found in %s", async (query, key) => {
    expect((await find(query))[0]).toBe(key);
  });

  it("a phrase that is not there as such is not found, nor what is excluded", async () => {
    expect(await find('"客退"')).toEqual([]);
    expect(await find("三十 -返品")).toEqual(["zh"]);
  });

  it("what an older version wrote is prepared anew", async () => {
    await db.query("update ai_vector_items set search = to_tsvector('simple', content), search_version = 0");
    expect(await find("运费")).toEqual([]);
    expect(await refreshSearch(db)).toBe(false);
    for (const [query, key] of ASKED) expect((await find(query))[0]).toBe(key);
  });
});
