export { createPromotionModule } from "./promotion.module.ts";
