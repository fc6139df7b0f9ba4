import { type Check, ok } from '../../../../server/commands/checks.ts';
import { siteFindings } from '../../../../server/commands/site-findings.ts';
import { openOwnSite } from '../../../../server/own-site/own-site.ts';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { dns } from './dns.ts';
import { ffmpeg } from './ffmpeg.ts';
import { front } from './front.ts';
import { permissions } from './permissions.ts';
import { platform } from './platform.ts';
import { ports } from './ports.ts';
import { redis } from './redis.ts';
import { s3 } from './s3.ts';

const site: Check = {
  name: 'site',
  todo: 'correct the site configuration (docs/site-configuration.md)',
  async run({ environment, configuration, origin }) {
    const { leftOut, gaps } = await openOwnSite(environment.SITE_DIR, configuration.locales);
    const found = [...siteFindings(configuration, origin), ...leftOut, ...gaps];
    if (found.length > 0) return found;
    return [ok(`${configuration.brand} by ${configuration.operator} at ${origin}`)];
  },
};

/** The checks for every site; features add their own (`Feature.checks`). */
export const coreChecks: readonly Check[] = [
  ...[site, ports, permissions, disk, database, redis, s3, clock, dns, platform, ffmpeg, front],
];
