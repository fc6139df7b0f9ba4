import type { LinkTables } from './recognise.ts';
import { tiktokLinks } from './tiktok.ts';

/** What the addresses of every platform look like, for code that reads links and knows no extractor. */
export const linkTables: LinkTables = [tiktokLinks];
