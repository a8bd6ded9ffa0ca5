import { expect, it } from "vitest";
import { describeSchedule } from "./describe-schedule.ts";
import { readSchedule } from "./read-schedule.ts";

// A Friday afternoon.
const NOW = new Date("2026-10-23T13:00:00Z");

/** What is understood: the words, then cron or the instant in Vienna's time. */
const READ = `
every day at 9 | 0 9 * * *
daily at 9am | 0 9 * * *
at 9 every day | 0 9 * * *
9:00 every day | 0 9 * * *
every day 9am | 0 9 * * *
each day at noon | 0 12 * * *
daily at midnight | 0 0 * * *
daily | 0 0 * * *
once a day at 7:45 | 45 7 * * *
twice a day at 9 and 17 | 0 9,17 * * *
twice daily at 9am and 5pm | 0 9,17 * * *
three times a day at 8, 12 and 18 | 0 8,12,18 * * *
every day at 8:15 and 20:15 | 15 8,20 * * *
every day at half past 8 | 30 8 * * *
every day at quarter to nine | 45 8 * * *
every day at 7 in the evening | 0 19 * * *
every day at 12 am | 0 0 * * *
every day at 12 pm | 0 12 * * *
every day at 9 o'clock | 0 9 * * *
every day except sunday at 9 | 0 9 * * MON,TUE,WED,THU,FRI,SAT
weekdays except wednesday at 9 | 0 9 * * MON,TUE,THU,FRI
weekdays at 9am | 0 9 * * MON-FRI
9:00 on weekdays | 0 9 * * MON-FRI
every weekday at 8:30 | 30 8 * * MON-FRI
business days at 9 | 0 9 * * MON-FRI
on business days at 9 | 0 9 * * MON-FRI
every working day at 6pm | 0 18 * * MON-FRI
on workdays at 7 am | 0 7 * * MON-FRI
weekends at 10 | 0 10 * * SAT,SUN
every weekend at noon | 0 12 * * SAT,SUN
monday to friday 9am | 0 9 * * MON-FRI
mon-fri 9:00 | 0 9 * * MON-FRI
Monday through Thursday at 8 | 0 8 * * MON-THU
friday to monday at 8 | 0 8 * * FRI,SAT,SUN,MON
every monday at 10 | 0 10 * * MON
mondays at 10 | 0 10 * * MON
every mon at 10 | 0 10 * * MON
weekly on tuesday at 6 am | 0 6 * * TUE
every week on thursday at 16:20 | 20 16 * * THU
once a week on monday at 9 | 0 9 * * MON
tuesday and friday 10:00 | 0 10 * * TUE,FRI
every tuesday and every friday at 10 | 0 10 * * TUE,FRI
mondays and thursdays at 5pm | 0 17 * * MON,THU
every monday, wednesday and friday at 7pm | 0 19 * * MON,WED,FRI
first monday of the month at 8:00 | 0 8 * * MON#1
on the first monday of every month at 8 | 0 8 * * MON#1
every third thursday at 9 | refused: every third thursday
the last friday of each month at 17:00 | 0 17 * * 5L
monthly on the second tuesday at 10 | 0 10 * * TUE#2
monthly on the 15th at 9am | 0 9 15 * *
on the 15th of every month at 9 | 0 9 15 * *
every month on the 1st at 6:00 | 0 6 1 * *
every 1st at 6:00 | 0 6 1 * *
on the 1st and 15th of the month at 9:00 | 0 9 1,15 * *
day 10 of the month at 9:00 | 0 9 10 * *
the first of the month at 9 | 0 9 1 * *
last day of the month at 23:00 | 0 23 L * *
month end 18:00 | 0 18 L * *
at the end of the month at 18:00 | 0 18 L * *
end of every month at 18:00 | 0 18 L * *
first working day of the month at 8 | 0 8 1W * *
last business day of the month at 17 | 0 17 LW * *
quarterly on the 1st at 9am | 0 9 1 1,4,7,10 *
every quarter on the 5th at 9 | 0 9 5 1,4,7,10 *
every 3 months on the 1st at 9 | 0 9 1 1,4,7,10 *
every six months on the 15th at 8 | 0 8 15 1,7 *
yearly on 1 march 9am | 0 9 1 3 *
every year on march 1st at 9:00 | 0 9 1 3 *
annually on december 24 at 6pm | 0 18 24 12 *
yearly on the last day of february at 9 | 0 9 L 2 *
on the 1st of january and july at 9 every year | 0 9 1 1,7 *
every january on the 2nd at 9 | 0 9 2 1 *
every minute | * * * * *
every 15 minutes | */15 * * * *
every quarter of an hour | */15 * * * *
every half hour | */30 * * * *
every 30 minutes on weekdays | */30 * * * MON-FRI
hourly | 0 * * * *
every hour | 0 * * * *
every 6 hours | 0 */6 * * *
every two hours | 0 */2 * * *
every hour between 9:00 and 17:00 on weekdays | 0 9-17 * * MON-FRI
every 2 hours from 8am to 6pm | 0 8-18/2 * * *
jeden tag um 9 uhr | 0 9 * * *
täglich um 9:30 | 30 9 * * *
täglich um 8.30 uhr | 30 8 * * *
Täglich um 17 Uhr 45 | 45 17 * * *
jeden tag um halb neun | 30 8 * * *
jeden tag um viertel nach acht | 15 8 * * *
täglich um viertel vor sieben | 45 6 * * *
täglich um mitternacht | 0 0 * * *
täglich mittags | 0 12 * * *
täglich um 7 uhr abends | 0 19 * * *
zweimal täglich um 9 und 17 uhr | 0 9,17 * * *
dreimal am tag um 8, 12 und 18 uhr | 0 8,12,18 * * *
jeden montag um 10 | 0 10 * * MON
montags um 10:00 | 0 10 * * MON
jeden montag und freitag um 9 uhr | 0 9 * * MON,FRI
dienstag und freitag 10:00 | 0 10 * * TUE,FRI
montags, mittwochs und freitags um 7 uhr | 0 7 * * MON,WED,FRI
montag bis freitag 9 uhr | 0 9 * * MON-FRI
mo-fr 9:00 | 0 9 * * MON-FRI
mo. bis do. um 8:15 | 15 8 * * MON-THU
werktags um 8:30 | 30 8 * * MON-FRI
an arbeitstagen um 9 uhr | 0 9 * * MON-FRI
unter der woche um 6 uhr | 0 6 * * MON-FRI
am wochenende um 10 uhr | 0 10 * * SAT,SUN
jeden tag außer sonntag um 9 | 0 9 * * MON,TUE,WED,THU,FRI,SAT
wöchentlich am dienstag um 6 uhr | 0 6 * * TUE
am ersten montag im monat um 8 uhr | 0 8 * * MON#1
jeden ersten montag im monat um 8 uhr | 0 8 * * MON#1
am letzten freitag des monats um 17 uhr | 0 17 * * 5L
am 15. jedes monats um 9 uhr | 0 9 15 * *
monatlich am 1. um 9:00 | 0 9 1 * *
jeden monat am 1. und 15. um 9 uhr | 0 9 1,15 * *
am letzten tag des monats um 18 uhr | 0 18 L * *
zum monatsende um 18:00 | 0 18 L * *
am ende des monats um 18 uhr | 0 18 L * *
am monatsersten um 7 uhr | 0 7 1 * *
am ersten arbeitstag im monat um 8 uhr | 0 8 1W * *
vierteljährlich am 1. um 9 uhr | 0 9 1 1,4,7,10 *
jährlich am 1. märz um 9 uhr | 0 9 1 3 *
jedes jahr am 24. dezember um 18 uhr | 0 18 24 12 *
minütlich | * * * * *
alle 15 minuten | */15 * * * *
alle zwanzig minuten | */20 * * * *
halbstündlich | */30 * * * *
stündlich | 0 * * * *
jede stunde | 0 * * * *
alle 6 stunden | 0 */6 * * *
jede stunde zwischen 9 und 17 uhr werktags | 0 9-17 * * MON-FRI
tomorrow 9am | 2026-10-24 09:00
tomorrow at 9 in the morning | 2026-10-24 09:00
on sunday at 9am | 2026-10-25 09:00
next friday at noon | 2026-10-30 12:00
in 3 days at 9am | 2026-10-26 09:00
in 2 hours | 2026-10-23 17:00
on december 24 at 6pm | 2026-12-24 18:00
24 december 2026 18:00 | 2026-12-24 18:00
2026-12-24 18:00 | 2026-12-24 18:00
morgen um 9 uhr | 2026-10-24 09:00
übermorgen um 8:30 | 2026-10-25 08:30
in 2 stunden | 2026-10-23 17:00
am 24.12.2026 um 18:00 | 2026-12-24 18:00
nächsten freitag um 12 uhr | 2026-10-30 12:00
on the 31st at 9:00 | refused: 31st
not on monday 9am | refused: not
fortnightly friday 9am | refused: fortnightly
every other tuesday at 9 | refused: every other tuesday
every second week on monday at 9 | refused: every second week
every 7 minutes | refused: every 7 minutes
every 90 minutes | refused: every 90 minutes
every 2 days at 9 | refused: every 2 days at 9
every 5 hours | refused: every 5 hours
every month at 9 | refused: every month at 9
every week at 9 | refused: every week at 9
every year at 9 | refused: every year at 9
monthly | refused: monthly
daily at 9 and 17:30 | refused: daily at 9 and 17:30
twice a day at 9 | refused: twice a day at 9
monday 9am and friday 10am | refused: friday
every monday at 9 and on the 1st | refused: 1st
every monday and at 9 | refused: at 9
friday the 13th at 9 every month | refused: friday the 13th at 9 every month
every day at 25:00 | refused: at 25:00
every day at 13pm | refused: at 13pm
every 31 february at 9 | refused: 
yearly on 31 february at 9 | refused: yearly on 31 february at 9
every full moon | refused: every full moon
every day at banana | refused: banana
every day at 9 utc | refused: utc
every 15 minutes at 9 | refused: every 15 minutes at 9
every 15 minutes between 9:00 and 17:00 | refused: every 15 minutes between 9:00 and 17:00
now and then | refused: now
tomorrow | refused: tomorrow
next week | refused: next week
at 9am | refused:
tomorrow at 9 and at 17 | refused: tomorrow
3/4 9am | refused: 3/4
yesterday at 9am | refused:
jeden zweiten freitag um 9 | refused: jeden zweiten freitag
alle 7 minuten | refused: alle 7 minuten
am 31. um 9 uhr | refused: 31.
nicht am montag um 9 uhr | refused: nicht
bei vollmond um 9 uhr | refused: bei vollmond
täglich um banane | refused: banane
montag 9 uhr und freitag 10 uhr | refused: freitag
`
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((part) => part.trim()) as [string, string]);

it("is a table of more than 150 schedules", () => {
  expect(READ.length).toBeGreaterThan(150);
});

it.each(READ)("%s: %s", async (text, means) => {
  const read = readSchedule(text, "Europe/Vienna", NOW);
  const refused = /^refused: ?(?<part>.*)$/.exec(means);
  if (refused === null) {
    const { cron, at } = await read;
    const inVienna = at && new Date(at).toLocaleString("sv", { timeZone: "Europe/Vienna" }).slice(0, 16);
    expect(cron ?? inVienna).toBe(means);
    const preview = describeSchedule(await read, NOW, 5);
    expect(preview.next.length).toBe(cron === undefined ? 1 : 5);
    expect(preview.says).toMatch(/^[A-Z][^{}]*\(Europe\/Vienna\)$/);
    return;
  }
  const part = refused.groups?.part ?? "";
  await expect(read).rejects.toMatchObject({
    code: "INVALID_TRIGGER",
    path: "$.text",
    ...(part === "" ? {} : { details: { part } }),
  });
});

it("a refusal names the part and three ways to say it, in the language that it was said in", async () => {
  await expect(readSchedule("every monday at nine-ish", "UTC", NOW)).rejects.toMatchObject({
    message: '"every monday at nine-ish" could not be read as a schedule: "nine-ish" is not understood',
    fix: 'Write it like "every monday and friday at 9:00", "on the first tuesday of the month at 8:30", "tomorrow at 5pm", or as a cron expression.',
  });
  await expect(readSchedule("jeden montag gegen neun", "UTC", NOW)).rejects.toMatchObject({
    message: '"jeden montag gegen neun" could not be read as a schedule: "gegen neun" is not understood',
    fix: expect.stringContaining('"jeden Montag und Freitag um 9:00"'),
  });
});
