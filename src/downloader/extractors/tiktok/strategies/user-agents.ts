import { asFailure } from '../../../../failures/failures.ts';
import type { AgentState } from '../../extractor.ts';
import { isPlatformError } from '../../probed-breaker.ts';
import type { ReadingObserver } from '../../readings.ts';

const browser = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

/** Best first. The platform rejects single versions for weeks, so there are several. */
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
 * The user agents of one strategy: counts the results of each and rests rejected ones. Each strategy has its own list,
 * since servers reject different agents; so has each egress, since a rejected egress must not count against the agents
 * of others.
 */
export class UserAgents {
  readonly #strategy: string;
  readonly #now: () => number;
  readonly #names: readonly string[];
  readonly #asked: ReadingObserver['asked'] | undefined;
  /** By egress. */
  readonly #lists = new Map<string | undefined, readonly Agent[]>();

  /**
   * @param list best first; must not be empty
   * @param asked told of each question and how it ended
   */
  constructor(
    strategy: string,
    list: readonly string[],
    now: () => number,
    asked?: ReadingObserver['asked'],
  ) {
    if (list.length === 0) throw new RangeError('a list of user-agents needs at least one');
    this.#strategy = strategy;
    this.#names = list;
    this.#asked = asked;
    this.#now = now;
  }

  /**
   * Requests through an egress with the first user agent that was not rejected within ten minutes, else with the one
   * rejected longest ago.
   * @throws what `ask` throws; `platform_blocked` makes the agent rest
   */
  async use<T>(egress: string | undefined, ask: (userAgent: string) => Promise<T>): Promise<T> {
    const agent = this.#pick(this.#listOf(egress));
    try {
      const result = await ask(agent.name);
      this.#answered(agent);
      this.#asked?.({ strategy: this.#strategy, agent: agent.name, egress, outcome: 'ok' });
      return result;
    } catch (thrown) {
      const failure = asFailure(thrown);
      const { key } = failure;
      // Whoever left, and a fault of ours, say nothing about the agent.
      if (key !== 'internal')
        this.#asked?.({ strategy: this.#strategy, agent: agent.name, egress, outcome: key });
      if (key === 'platform_blocked') {
        agent.refused++;
        agent.refusedAt = this.#now();
      } else if (!isPlatformError(failure) && key !== 'internal') {
        // A refusal of the post is an answer to this agent.
        this.#answered(agent);
      }
      throw thrown;
    }
  }

  /** Each with the sums over all egresses; it rests when it rests on every egress that was used. */
  states(): readonly AgentState[] {
    const lists = [...this.#lists.values()];
    return this.#names.map((name, index) => {
      const everywhere = lists.flatMap((list) => list[index] ?? []);
      return {
        strategy: this.#strategy,
        agent: name,
        answered: everywhere.reduce((sum, { answered }) => sum + answered, 0),
        refused: everywhere.reduce((sum, { refused }) => sum + refused, 0),
        resting: everywhere.length > 0 && everywhere.every((agent) => this.#rests(agent)),
      };
    });
  }

  #listOf(egress: string | undefined): readonly Agent[] {
    const known = this.#lists.get(egress);
    if (known !== undefined) return known;
    const list = this.#names.map((name): Agent => ({ name, answered: 0, refused: 0, refusedAt: null }));
    this.#lists.set(egress, list);
    return list;
  }

  #pick(list: readonly Agent[]): Agent {
    const awake = list.find((agent) => !this.#rests(agent));
    return (
      awake ??
      list.reduce((oldest, agent) => ((agent.refusedAt ?? 0) < (oldest.refusedAt ?? 0) ? agent : oldest))
    );
  }

  #rests({ refusedAt }: Agent): boolean {
    return refusedAt !== null && this.#now() - refusedAt <= refusalLastsMs;
  }

  #answered(agent: Agent): void {
    agent.answered++;
    agent.refusedAt = null;
  }
}
