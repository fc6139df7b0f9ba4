import { asFailure } from '../../failures.ts';
import type { AgentState, MonotonicClock } from '../extractor.ts';

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

interface Agent {
  readonly name: string;
  answered: number;
  refused: number;
  refusedAt: number | null;
}

/**
 * The user-agents of one way of asking: counts how each fares, and lets those rest that were turned away. Each way
 * has its own, because what one server turns away another takes.
 */
export class UserAgents {
  readonly #strategy: string;
  readonly #clock: MonotonicClock;
  readonly #list: readonly [Agent, ...Agent[]];

  /** @param list best first; must not be empty */
  constructor(strategy: string, list: readonly string[], clock: MonotonicClock) {
    const [first, ...rest] = list.map((name): Agent => ({ name, answered: 0, refused: 0, refusedAt: null }));
    if (first === undefined) throw new RangeError('a list of user-agents needs at least one');
    this.#strategy = strategy;
    this.#list = [first, ...rest];
    this.#clock = clock;
  }

  /**
   * Asks as the first that was not turned away within ten minutes, else as the one whose refusal is oldest.
   * @throws what `ask` throws; `platform_blocked` makes the agent rest
   */
  async use<T>(ask: (userAgent: string) => Promise<T>): Promise<T> {
    const agent = this.#pick();
    try {
      const answer = await ask(agent.name);
      this.#answered(agent);
      return answer;
    } catch (thrown) {
      const { key } = asFailure(thrown);
      if (key === 'platform_blocked') {
        agent.refused++;
        agent.refusedAt = this.#clock();
      } else if (!key.startsWith('platform_') && key !== 'internal') {
        // What is said about a post was said to this agent.
        this.#answered(agent);
      }
      throw thrown;
    }
  }

  states(): readonly AgentState[] {
    return this.#list.map((agent) => ({
      strategy: this.#strategy,
      agent: agent.name,
      answered: agent.answered,
      refused: agent.refused,
      resting: this.#rests(agent),
    }));
  }

  #pick(): Agent {
    let oldest = this.#list[0];
    for (const agent of this.#list) {
      if (!this.#rests(agent)) return agent;
      if ((agent.refusedAt ?? 0) < (oldest.refusedAt ?? 0)) oldest = agent;
    }
    return oldest;
  }

  #rests({ refusedAt }: Agent): boolean {
    return refusedAt !== null && this.#clock() - refusedAt <= refusalLastsMs;
  }

  #answered(agent: Agent): void {
    agent.answered++;
    agent.refusedAt = null;
  }
}
