import type { SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import type { LinkTable } from '../links/link-table.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { HostLists } from '../network/targets.ts';
import type { Ways } from '../network/ways/ways.ts';
import type { Extractor } from './extractor.ts';
import type { ReadingObserver } from './readings.ts';
import type { YtdlpOptions } from './tiktok/strategies/ytdlp.ts';
import type { UnreadableObserver } from './unreadable.ts';

/** What the reading of posts is given, whatever the platform. */
export interface ExtractorParts {
  readonly network: PlatformNetwork;
  /** Picks the way out of each question; without it there is but one. */
  readonly ways?: Ways;
  /** Best first; the operator's list when the usual one is turned away. */
  readonly userAgents?: readonly string[];
  readonly ytdlp?: YtdlpOptions | null;
  readonly unreadable?: UnreadableObserver | undefined;
  readonly readings?: ReadingObserver | undefined;
  /** Shares circuit breakers with other instances; left out by an instance that is alone. */
  readonly sharedBreakers?: SharedBreakers | null;
}

/** A platform whose posts can be had. Its name is that of its links. */
export interface Platform {
  readonly links: LinkTable;
  /** Every host that it may be asked at, in lists whose names begin with the platform's: `tiktok/page`. */
  readonly hosts: HostLists;
  createExtractor(parts: ExtractorParts): Extractor;
}

/** The lists of hosts of all of them. */
export function hostListsOf(all: readonly Platform[]): HostLists {
  return Object.assign({}, ...all.map(({ hosts }) => hosts));
}
