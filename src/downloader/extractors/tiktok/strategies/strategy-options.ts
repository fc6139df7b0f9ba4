import type { PlatformNetwork } from '../../../network/contracts.ts';
import type { StrategyDoors } from '../identities/ask-through.ts';

/** The dependencies of a strategy that uses the network. */
export interface StrategyOptions extends StrategyDoors {
  readonly network: PlatformNetwork;
  /** ms since the epoch */
  readonly now: () => number;
}
