import type { PlatformNetwork } from '../../network/contracts.ts';
import type { Clock, Extractor, Strategy } from '../extractor.ts';
import { StrategyChain } from '../strategy-chain.ts';
import { embedStrategy } from './embed.ts';
import { oembedExplainer } from './oembed.ts';
import { pageStrategy, reflowStrategy } from './page.ts';
import { playerStrategy } from './player.ts';
import { locateShortLink } from './short-links.ts';
import { desktopUserAgents, mobileUserAgents, UserAgents } from './user-agents.ts';
import { type YtdlpOptions, ytdlpStrategy } from './ytdlp.ts';

export interface TiktokOptions {
  readonly network: PlatformNetwork;
  readonly clock?: Clock;
  /** Best first; the operator's list when the usual one is turned away. */
  readonly userAgents?: readonly string[];
  readonly ytdlp?: YtdlpOptions | null;
}

export function createTiktokExtractor({
  network,
  clock = Date.now,
  userAgents,
  ytdlp,
}: TiktokOptions): Extractor {
  const agents = new UserAgents(userAgents ?? desktopUserAgents, clock);
  const mobileAgents = new UserAgents(mobileUserAgents, clock);
  const strategies: Strategy[] = [
    pageStrategy({ network, agents, clock }),
    playerStrategy({ network, agents, clock }),
    embedStrategy({ network, agents, clock }),
    reflowStrategy({ network, agents: mobileAgents, clock }),
  ];
  if (ytdlp) strategies.push(ytdlpStrategy(ytdlp, clock));
  const chain = new StrategyChain({ strategies, explainer: oembedExplainer({ network, agents }), clock });
  return {
    platform: 'tiktok',
    strategies,
    locate: (link, signal) => locateShortLink(link, signal, { network, agents }),
    read: (reference, signal) => chain.read(reference, signal),
    states: () => chain.states(),
  };
}
