import { createTiktokExtractor } from '../../src/downloader/extractors/tiktok/extractor.ts';
import { oembedExplainer } from '../../src/downloader/extractors/tiktok/strategies/oembed.ts';
import { UserAgents } from '../../src/downloader/extractors/tiktok/strategies/user-agents.ts';
import type { PlatformNetwork } from '../../src/downloader/network/contracts.ts';
import type { Way } from './platform.ts';

/** Nothing is asked by it: names and limits are all that is wanted. */
const network = {} as PlatformNetwork;

/** The product's ways of asking, with their own limits. */
export const ways: { readonly strategies: readonly Way[]; readonly explainer: Way } = {
  strategies: createTiktokExtractor({ network }).strategies,
  explainer: oembedExplainer({ network, agents: new UserAgents('oembed', ['none'], () => 0) }),
};
