import type { PlatformNetwork } from '../../../network/contracts.ts';
import type { UserAgents } from './user-agents.ts';

/** What a way of reading posts over the network is given. */
export interface StrategyOptions {
  readonly network: PlatformNetwork;
  readonly agents: UserAgents;
  /** ms since the epoch */
  readonly now: () => number;
}
