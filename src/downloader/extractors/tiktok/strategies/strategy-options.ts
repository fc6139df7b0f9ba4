import type { PlatformNetwork } from '../../../network/contracts.ts';
import type { ReadingObserver } from '../../readings.ts';
import type { UserAgents } from './user-agents.ts';

/** The dependencies of a strategy that uses the network. */
export interface StrategyOptions {
  readonly network: PlatformNetwork;
  readonly agents: UserAgents;
  /** ms since the epoch */
  readonly now: () => number;
  /** Told of answers in a form that is new. */
  readonly shape?: ReadingObserver['shape'] | undefined;
}
