/** Longer ones are not looked at as a whole. */
const longest = 500;

/** First match wins: Edge calls itself Chrome too, and everything calls itself Safari. */
const browsers = [
  ['edge', /\bEdg/],
  ['firefox', /\bFirefox\/|FxiOS/],
  ['chrome', /\bChrome\/|CriOS/],
  ['safari', /\bSafari\//],
] as const;

/**
 * Programs that look at pages for others: search engines, networks that show what a link leads to. "Cubot" makes phones.
 */
const crawlers =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|facebookexternalhit|meta-external|whatsapp\/|mediapartners-google|google-inspectiontool|googleother/i;

/** Further programs that say that they are one. */
const others = /monitor|headless|curl|wget|python|http-?client/i;

/** The inspected part of a `User-Agent` header. */
export const shortAgent = (header: string | undefined): string => header?.slice(0, longest) ?? '';

/** The browser's family. */
export const browserOf = (agent: string) =>
  browsers.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'other';

/** Whether the client identifies itself as a link previewer. */
export const isCrawler = (agent: string): boolean => crawlers.test(agent);

/** Whether the client identifies itself as a program; others are indistinguishable from people. */
export const isProgram = (agent: string): boolean => isCrawler(agent) || others.test(agent);
