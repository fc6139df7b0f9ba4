import type { LinkTables } from './recognise.ts';
import { tiktokLinks } from './tiktok.ts';

/** The address tables of all platforms, for code that reads links without an extractor. */
export const linkTables: LinkTables = [tiktokLinks];
