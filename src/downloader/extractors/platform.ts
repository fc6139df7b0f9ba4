import type { SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import type { LinkTable } from '../links/link-table.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { EgressPool } from '../network/egress/egress-pool.ts';
import type { HostLists } from '../network/targets.ts';
import type { Extractor } from './extractor.ts';
import type { BreakerChange, ReadingObserver } from './readings.ts';
import type { YtdlpOptions } from './tiktok/strategies/ytdlp.ts';
import type { UnreadableObserver } from './unreadable.ts';

/** The dependencies of an extractor, independent of the platform. */
export interface ExtractorParts {
  readonly network: PlatformNetwork;
  /** Picks the egress of each request; absent when there is only one. */
  readonly egresses?: EgressPool;
  /** Best first; the operator's list when the usual one is turned away. */
  readonly userAgents?: readonly string[];
  /** The site's own name, version and address, for requests under its own name. */
  readonly ownAgent?: string;
  readonly ytdlp?: YtdlpOptions | null;
  /** Leaves out strategies that cannot tell whether the author allows saving. */
  readonly honourSavingOff?: boolean;
  readonly unreadable?: UnreadableObserver | undefined;
  readonly readings?: ReadingObserver | undefined;
  /** Shares circuit breakers with other instances; absent for a single instance. */
  readonly sharedBreakers?: SharedBreakers | null;
  readonly onBreaker?: ((change: BreakerChange) => void) | undefined;
}

/** A platform whose posts can be downloaded. Its name is that of its links. */
export interface Platform {
  readonly links: LinkTable;
  /** Every host that it may connect to, in lists named with the platform's prefix: `tiktok/page`. */
  readonly hosts: HostLists;
  /** The name of a closed list under which an unknown host is counted. */
  nameOfRefusedHost(host: string): string;
  createExtractor(parts: ExtractorParts): Extractor;
}

/** The lists of hosts of all of them. */
export function hostListsOf(all: readonly Platform[]): HostLists {
  return Object.assign({}, ...all.map(({ hosts }) => hosts));
}
