import { createTiktokExtractor } from '../../src/downloader/extractors/tiktok/extractor.ts';
import { Doors } from '../../src/downloader/extractors/tiktok/identities/doors.ts';
import { oembedExplainer } from '../../src/downloader/extractors/tiktok/strategies/oembed.ts';
import type { PlatformNetwork } from '../../src/downloader/network/contracts.ts';
import type { SimulatedStrategy } from './platform.ts';

/** They are never called: only names and limits matter. */
const network = {} as PlatformNetwork;

/** The product's strategies, with their own limits. */
export const methods: {
  readonly strategies: readonly SimulatedStrategy[];
  readonly explainer: SimulatedStrategy;
} = {
  strategies: createTiktokExtractor({ network }).strategies,
  explainer: oembedExplainer({ network, strategy: 'tiktok/oembed', doors: new Doors([]) }),
};
