import type { Clock } from '../extractor.ts';

const browser = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

/** Best first. The platform turns single versions away for weeks, so there is more than one. */
export const desktopUserAgents: readonly string[] = [
  browser(151),
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  browser(138),
];

export const mobileUserAgents: readonly string[] = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36',
];

const refusalLastsMs = 600_000;

/** A list of user-agents that remembers which of them were turned away lately. */
export class UserAgents {
  readonly #clock: Clock;
  readonly #list: readonly [string, ...string[]];
  readonly #refusedAt = new Map<string, number>();

  /** @param list best first; must not be empty */
  constructor(list: readonly string[], clock: Clock) {
    const [first, ...rest] = list;
    if (first === undefined) throw new RangeError('a list of user-agents needs at least one');
    this.#list = [first, ...rest];
    this.#clock = clock;
  }

  /** The first that was not turned away within ten minutes, else the one whose refusal is oldest. */
  pick(): string {
    const since = this.#clock() - refusalLastsMs;
    let oldest = this.#list[0];
    for (const agent of this.#list) {
      const refusedAt = this.#refusedAt.get(agent);
      if (refusedAt === undefined || refusedAt < since) return agent;
      if (refusedAt < (this.#refusedAt.get(oldest) ?? 0)) oldest = agent;
    }
    return oldest;
  }

  worked(agent: string): void {
    this.#refusedAt.delete(agent);
  }

  refused(agent: string): void {
    this.#refusedAt.set(agent, this.#clock());
  }
}
