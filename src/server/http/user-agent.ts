export { deviceOf } from '../../site/state/device.ts';
export { systemOf } from '../../site/state/system.ts';

/** Longer ones are not looked at as a whole. */
const longest = 500;

/** First match wins: Edge calls itself Chrome too, and everything calls itself Safari. */
const browsers = [
  ['edge', /\bEdg/],
  ['firefox', /\bFirefox\/|FxiOS/],
  ['chrome', /\bChrome\/|CriOS/],
  ['safari', /\bSafari\//],
] as const;

/** Programs that say that they are one; others cannot be told from people. */
const programs =
  /bot\b|crawl|spider|slurp|preview|monitor|headless|curl|wget|python|http-?client|facebookexternalhit/i;

/** What is looked at of a `User-Agent` header. */
export const shortAgent = (header: string | undefined): string => header?.slice(0, longest) ?? '';

/** The browser's family. */
export const browserOf = (agent: string) =>
  browsers.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'other';

/** Whether a program asks that says it is one. */
export const isProgram = (agent: string): boolean => programs.test(agent);
