import { tiktokLinks } from '../../links/tiktok.ts';
import type { Platform } from '../platform.ts';
import { createTiktokExtractor } from './extractor.ts';
import { nameOfRefusedHost, tiktokHosts } from './hosts.ts';

export const tiktok: Platform = {
  links: tiktokLinks,
  hosts: tiktokHosts,
  nameOfRefusedHost,
  createExtractor: createTiktokExtractor,
};
