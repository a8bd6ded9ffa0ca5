import sparticuz from "@sparticuz/chromium";

/** Unpacks the browser before the first test: two workers that both found it missing would start what the other still writes. */
export default async function setUp(): Promise<void> {
  if (process.env.CHROMIUM_PATH !== undefined) return;
  sparticuz.setGraphicsMode = false;
  await sparticuz.executablePath();
}
