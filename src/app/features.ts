import type { Content } from '../content/content.ts';
import type { LegalValues } from '../content/legal-documents.ts';
import type { PostName } from '../downloader/posts/resolver.ts';
import alarms from '../features/alarms/feature.ts';
import apiKeys from '../features/api-keys/feature.ts';
import backends from '../features/backends/feature.ts';
import backups from '../features/backups/feature.ts';
import consent from '../features/consent/feature.ts';
import deviceMedia from '../features/device-media/feature.ts';
import experiments from '../features/experiments/feature.ts';
import feeds from '../features/feeds/feature.ts';
import manyPosts from '../features/many-posts/feature.ts';
import messages from '../features/messages/feature.ts';
import monitoring from '../features/monitoring/feature.ts';
import operator from '../features/operator/feature.ts';
import pageCacheServer from '../features/page-cache-server/feature.ts';
import preview from '../features/preview/feature.ts';
import promotion from '../features/promotion/feature.ts';
import push from '../features/push/feature.ts';
import severalLinks from '../features/several-links/feature.ts';
import sharing from '../features/sharing/feature.ts';
import statistics from '../features/statistics/feature.ts';
import status from '../features/status/feature.ts';
import tags from '../features/tags/feature.ts';
import takedowns from '../features/takedowns/feature.ts';
import typedAddresses from '../features/typed-addresses/feature.ts';
import type { Core, Feature, FeatureServer } from '../server/feature.ts';
import type { ResolvePage, ServerDependencies } from '../server/instance/parts.ts';

/** Every feature. What features have in browsers is found by the names of their files (`slots/`, `site/pages/tool/`). */
export const features: readonly Feature[] = [
  alarms,
  apiKeys,
  backends,
  backups,
  consent,
  deviceMedia,
  experiments,
  feeds,
  manyPosts,
  messages,
  monitoring,
  operator,
  pageCacheServer,
  preview,
  promotion,
  push,
  severalLinks,
  sharing,
  statistics,
  status,
  tags,
  takedowns,
  typedAddresses,
];

/** Opens all features of an instance at once, and joins what they do. @throws EnvironmentError */
export async function openFeatures(core: Core) {
  const all: readonly FeatureServer[] = await Promise.all(features.flatMap(({ open }) => open?.(core) ?? []));
  const withholding = all.flatMap(({ withholds }) => withholds ?? []);
  const resolving = all.flatMap(({ resolvePage }) => resolvePage ?? []);
  const parts = {
    isWithheld: (post: PostName) => withholding.some((withholds) => withholds(post)),
    resolvePage: resolving.reduce<ResolvePage>(
      (inner, outer) => (request, here) => outer(request, () => inner(request, here)),
      (_, here) => here(),
    ),
    featureServices: Object.assign({}, ...all.map(({ services }) => services)),
    deskPages: async (given: ServerDependencies) =>
      (await Promise.all(all.map(({ desk }) => desk?.(given) ?? []))).flat(),
    forget: (token: string) => Promise.all(all.map(({ forget }) => forget?.(token))),
  };
  return {
    all,
    parts,
    /** What features say of themselves in legal documents. */
    legal: Object.assign({}, ...all.map(({ legal }) => legal)) as Partial<LegalValues>,
    content: (own: Content) => all.reduce((one, { content }) => content?.(one) ?? one, own),
    pageCache: all.find(({ pageCache }) => pageCache)?.pageCache,
    onError: (error: unknown, requestId?: string) =>
      Promise.all(all.map(({ onError }) => onError?.(error, requestId))),
    close: () => Promise.all(all.map(({ close }) => close?.())),
  };
}
