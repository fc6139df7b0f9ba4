import type { PlatformNetwork } from '../../network/contracts.ts';
import type { Clock, Extractor, MonotonicClock, Strategy } from '../extractor.ts';
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
  readonly monotonic?: MonotonicClock;
  /** Best first; the operator's list when the usual one is turned away. */
  readonly userAgents?: readonly string[];
  readonly ytdlp?: YtdlpOptions | null;
}

export function createTiktokExtractor({
  network,
  clock = Date.now,
  monotonic = () => performance.now(),
  userAgents = desktopUserAgents,
  ytdlp,
}: TiktokOptions): Extractor {
  const agents = {
    page: new UserAgents('page', userAgents, monotonic),
    player: new UserAgents('player', userAgents, monotonic),
    embed: new UserAgents('embed', userAgents, monotonic),
    reflow: new UserAgents('reflow', mobileUserAgents, monotonic),
    oembed: new UserAgents('oembed', userAgents, monotonic),
    'short-link': new UserAgents('short-link', userAgents, monotonic),
  };
  const strategies: Strategy[] = [
    pageStrategy({ network, agents: agents.page, clock }),
    playerStrategy({ network, agents: agents.player, clock }),
    embedStrategy({ network, agents: agents.embed, clock }),
    reflowStrategy({ network, agents: agents.reflow, clock }),
  ];
  if (ytdlp) strategies.push(ytdlpStrategy(ytdlp, clock));
  const explainer = oembedExplainer({ network, agents: agents.oembed });
  const chain = new StrategyChain({ strategies, explainer, clock: monotonic });
  return {
    platform: 'tiktok',
    strategies,
    locate: (link, signal) => locateShortLink(link, signal, { network, agents: agents['short-link'] }),
    read: (reference, signal, asker) => chain.read(reference, signal, asker),
    states: () => chain.states(),
    agents: () => Object.values(agents).flatMap((list) => list.states()),
  };
}
