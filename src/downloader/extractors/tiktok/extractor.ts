import { withTimeLimit } from '../../async/time-limit.ts';
import { tiktokLinks } from '../../links/tiktok.ts';
import { directEgress } from '../../network/egress/egress-pool.ts';
import type { PostReference } from '../../post/post.ts';
import type { Extractor, Strategy } from '../extractor.ts';
import type { ExtractorParts } from '../platform.ts';
import { StrategyChain } from '../strategy-chain.ts';
import { EmbedMark } from './embed-mark.ts';
import { Doors } from './identities/doors.ts';
import { makeIdentities } from './identities/identities.ts';
import type { Identity } from './identities/identity.ts';
import { Jars } from './identities/jars.ts';
import { askMatrix } from './matrix.ts';
import { embedStrategy } from './strategies/embed.ts';
import { readList } from './strategies/lists.ts';
import { oembedExplainer } from './strategies/oembed.ts';
import { maxPageRequests, pageStrategy } from './strategies/page.ts';
import { playerStrategy } from './strategies/player.ts';
import { locateShortLink } from './strategies/short-links.ts';
import { ytdlpStrategy } from './strategies/ytdlp.ts';

interface TiktokOptions extends ExtractorParts {
  /** ms since the epoch: for what is compared with times that the platform or a ticket names */
  readonly now?: () => number;
  /** ms since any moment, for durations: setting the machine's clock does not move it */
  readonly monotonicNow?: () => number;
}

const { platform } = tiktokLinks;

/** The strategies in their order; now and then a post that the page gave is read from the embed page as well. */
function compared(mark: EmbedMark, page: Strategy, player: Strategy, embed: Strategy): Strategy[] {
  const watchedEmbed: Strategy = {
    ...embed,
    read: async (reference, signal) => mark.embed(await embed.read(reference, signal)),
  };
  return [
    {
      ...page,
      async read(reference, signal, budget) {
        const post = await page.read(reference, signal, budget);
        if (mark.isDue(post)) {
          const { limitMs, read } = watchedEmbed;
          // The visitor does not wait for it; what fails is compared another time.
          void withTimeLimit(limitMs, new AbortController().signal, (inner) => read(reference, inner)).catch(
            () => null,
          );
        }
        return post;
      },
    },
    player,
    watchedEmbed,
  ];
}

/**
 * Reads posts of TikTok: page, player and embed in this order, then yt-dlp where it is set up. Only the page tells
 * whether the author allows saving: it is alone where that counts.
 * @throws IdentityError for user agents that contradict themselves
 */
export function createTiktokExtractor({
  network,
  egresses = directEgress,
  now = Date.now,
  monotonicNow = () => performance.now(),
  userAgents,
  ownAgent = 'Clipferry',
  ytdlp,
  honourSavingOff = false,
  unreadable,
  readings,
  sharedBreakers = null,
  onBreaker,
}: TiktokOptions): Extractor {
  const identities = makeIdentities(userAgents, ownAgent);
  const jars = new Jars(now);
  // Servers shut out different identities, so each strategy has its own experience with them.
  const doorsOf = (
    strategy: string,
    list: readonly Identity[] = identities.filter(({ kind }) => kind !== 'phone'),
  ) => ({
    strategy: `${platform}/${strategy}`,
    doors: new Doors(list),
    asked: readings?.asked,
  });
  const doors = {
    page: doorsOf('page', identities),
    player: doorsOf('player'),
    embed: doorsOf('embed'),
    oembed: doorsOf('oembed'),
    'short-link': doorsOf('short-link'),
    list: doorsOf('list'),
  };
  const mark = new EmbedMark(({ id, isSame }) => {
    unreadable?.embedCompared({ platform, id, isSame });
    const shape = { kind: 'value', name: 'embed.file=another' } as const;
    if (!isSame) readings?.shape({ strategy: doors.embed.strategy, shape, example: id });
  });
  const all = compared(
    mark,
    pageStrategy({
      ...{ ...doors.page, network, jars, now, shape: readings?.shape },
      onFiles: (id, urls) => mark.page(id, urls),
    }),
    playerStrategy({ ...doors.player, network, now }),
    embedStrategy({ ...doors.embed, network, now }),
  );
  if (ytdlp) all.push(ytdlpStrategy(ytdlp, now));
  const strategies = honourSavingOff ? all.slice(0, 1) : all;
  const explainer = oembedExplainer({ ...doors.oembed, network });
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
        read(reference, signal) {
          const budget = { left: maxPageRequests };
          return byEgress(reference, signal, (own) => strategy.read(own, signal, budget));
        },
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
    onBreaker,
  });
  return {
    platform,
    links: tiktokLinks,
    strategies,
    locate: (link, signal) =>
      egresses.use({ name: link.code }, signal, (egress) =>
        locateShortLink(link, signal, {
          ...{ ...doors['short-link'], network, jars, egress, shape: readings?.shape },
        }),
      ),
    list: (reference, signal) =>
      egresses.use({ name: reference.name }, signal, (egress) =>
        readList(reference, signal, { ...doors.list, network, now, egress }),
      ),
    read: (reference, signal, requester) => chain.read(reference, signal, requester),
    tryWhenDue: (usual, idleMs, signal) => chain.tryWhenDue(usual, idleMs, signal),
    states: () => chain.states(),
    agents: () =>
      Object.values(doors).flatMap(({ strategy, doors: list }) =>
        list.states().map(({ identity, http, answered, refused, isShut }) => ({
          ...{ strategy, identity: identity.name, agent: identity.userAgent, http },
          ...{ answered, refused, resting: isShut },
        })),
      ),
    jars: () => jars.states(),
    matrix: (reference, signal) =>
      askMatrix({ strategy: `${platform}/page`, network, now, identities }, reference, signal),
  };
}
