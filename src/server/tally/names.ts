/** The services of the site, as the status page lists them. */
export const services = ['links', 'videos', 'sounds', 'photos'] as const;
export type Service = (typeof services)[number];

/** Upper bounds of times to the first byte, in ms; the last bucket has none. */
export const firstByteBuckets = [100, 250, 500, 1000, 2000, 4000, 8000, Number.POSITIVE_INFINITY] as const;

/** The bucket of a time, by its upper bound: `100`, …, `8000`, `more`. */
export function firstByteBucket(ms: number): string {
  const bound = firstByteBuckets.find((most) => ms <= most) ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(bound) ? String(bound) : 'more';
}

const longestName = 60;
/** The first that is named; Android names Linux too. */
const systems = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'Linux'];

/**
 * A short name for a user agent of the operator's list: `Chrome 151, Windows`. Two that differ in nothing else have one.
 */
export function agentName(agent: string): string {
  const [, mobile] = /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/.exec(agent) ?? [];
  const [, family, version] = /\b(Edg|Firefox|Chrome)\/(\d+)/.exec(agent) ?? [];
  const browser =
    family === undefined ? mobile && `Safari ${mobile}` : `${family === 'Edg' ? 'Edge' : family} ${version}`;
  const system = systems.find((one) => agent.includes(one));
  if (browser === undefined) return agent.slice(0, longestName);
  return system === undefined ? browser : `${browser}, ${system === 'Macintosh' ? 'macOS' : system}`;
}
