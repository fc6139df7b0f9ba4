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
import type { Feature } from '../server/feature.ts';

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
