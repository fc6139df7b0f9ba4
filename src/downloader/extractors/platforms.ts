import type { Platform } from './platform.ts';
import { tiktok } from './tiktok/platform.ts';

/** All platforms. No other code names one. */
export const platforms: readonly Platform[] = [tiktok];
