import type { Platform } from './platform.ts';
import { tiktok } from './tiktok/platform.ts';

/** Every platform there is. Nothing else knows one by name. */
export const platforms: readonly Platform[] = [tiktok];
