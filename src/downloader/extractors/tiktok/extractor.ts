import { tiktokLinks } from '../../links/tiktok.ts';
import { directEgress } from '../../network/egress/egress-pool.ts';
import type { PostReference } from '../../posts/post.ts';
import type { Extractor, Strategy } from '../extractor.ts';
import type { ExtractorParts } from '../platform.ts';
import { StrategyChain } from '../strategy-chain.ts';
import { embedStrategy } from './strategies/embed.ts';
import { oembedExplainer } from './strategies/oembed.ts';
import { pageStrategy, reflowStrategy } from './strategies/page.ts';
import { playerStrategy } from './strategies/player.ts';
import { locateShortLink } from './strategies/short-links.ts';
import { desktopUserAgents, mobileUserAgents, UserAgents } from './strategies/user-agents.ts';
import { ytdlpStrategy } from './strategies/ytdlp.ts';

interface TiktokOptions extends ExtractorParts {
  /** ms since the epoch: for what is compared with times that the platform or a ticket names */
  readonly now?: () => number;
}

const { platform } = tiktokLinks;

/** For durations: setting the machine's clock does not move it. */
const monotonicNow = () => performance.now();

/** Reads posts of TikTok: page, player, embed and mobile page in this order, then yt-dlp where it is set up. */
export function createTiktokExtractor({
  network,
  egresses = directEgress,
  now = Date.now,
  userAgents = desktopUserAgents,
  ytdlp,
  unreadable,
  readings,
  sharedBreakers = null,
}: TiktokOptions): Extractor {
  const agentsOf = (strategy: string, list: readonly string[]) =>
    new UserAgents(`${platform}/${strategy}`, list, monotonicNow, readings?.asked);
  const agents = {
    page: agentsOf('page', userAgents),
    player: agentsOf('player', userAgents),
    embed: agentsOf('embed', userAgents),
    reflow: agentsOf('reflow', mobileUserAgents),
    oembed: agentsOf('oembed', userAgents),
    'short-link': agentsOf('short-link', userAgents),
  };
  const shape = readings?.shape;
  const strategies: Strategy[] = [
    pageStrategy({ network, agents: agents.page, now, shape }),
    playerStrategy({ network, agents: agents.player, now }),
    embedStrategy({ network, agents: agents.embed, now }),
    reflowStrategy({ network, agents: agents.reflow, now, shape }),
  ];
  if (ytdlp) strategies.push(ytdlpStrategy(ytdlp, now));
  const explainer = oembedExplainer({ network, agents: agents.oembed });
  /** All requests about a post use the post's egress, including cookies and media addresses. */
  const byEgress = <T>(
    reference: PostReference,
    signal: AbortSignal,
    ask: (own: PostReference) => Promise<T>,
  ) =>
    egresses.use({ name: reference.id, egress: reference.egress }, signal, (egress) =>
      ask({ ...reference, egress }),
    );
  const chain = new StrategyChain({
    strategies: strategies.map(
      (strategy): Strategy => ({
        ...strategy,
        read: (reference, signal) => byEgress(reference, signal, (own) => strategy.read(own, signal)),
      }),
    ),
    explainer: {
      ...explainer,
      explain: (reference, refusal, signal) =>
        byEgress(reference, signal, (own) => explainer.explain(own, refusal, signal)),
    },
    platform,
    now: monotonicNow,
    unreadable,
    readings,
    sharedBreakers,
  });
  return {
    platform,
    links: tiktokLinks,
    strategies,
    locate: (link, signal) =>
      egresses.use({ name: link.code }, signal, (egress) =>
        locateShortLink(link, signal, { network, agents: agents['short-link'], egress }),
      ),
    read: (reference, signal, requester) => chain.read(reference, signal, requester),
    states: () => chain.states(),
    agents: () => Object.values(agents).flatMap((list) => list.states()),
  };
}
