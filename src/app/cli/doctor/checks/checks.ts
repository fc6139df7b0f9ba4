import type { Check } from '../../../../server/commands/checks.ts';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { dns } from './dns.ts';
import { ffmpeg } from './ffmpeg.ts';
import { front } from './front.ts';
import { permissions } from './permissions.ts';
import { platform } from './platform.ts';
import { redis } from './redis.ts';
import { s3 } from './s3.ts';
import { site } from './site.ts';

/** The checks for every site; features add their own (`Feature.checks`). */
export const coreChecks: readonly Check[] = [
  ...[site, permissions, disk, database, redis, s3, clock, dns, platform, ffmpeg, front],
];
