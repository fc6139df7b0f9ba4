import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Check, Finding } from '../../../../server/commands/checks.ts';
import { siteFindings } from '../../../../server/commands/site-findings.ts';
import { roomText } from '../../../../server/tally/room-text.ts';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { ffmpeg } from './ffmpeg.ts';
import { front } from './front.ts';
import { permissions } from './permissions.ts';
import { platform } from './platform.ts';
import { redis } from './redis.ts';
import { s3 } from './s3.ts';

async function resolveName(host: string, todo: string): Promise<Finding> {
  try {
    const found = await lookup(host, { all: true });
    const addresses = found.map(({ address }) => address);
    return { of: host, level: 'ok', what: addresses.join(', ') };
  } catch (error) {
    return { of: host, level: 'error', what: (error as Error).message, todo };
  }
}

const dns: Check = {
  name: 'dns',
  async run({ environment: { HTTPS_PROXY, OUTBOUND_PROXIES }, origin }) {
    const { hostname } = new URL(origin);
    const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    // Proxies look up the platform's names themselves.
    const asksItself = HTTPS_PROXY === undefined && OUTBOUND_PROXIES === undefined;
    return Promise.all([
      ...(isName
        ? [resolveName(hostname, 'add A and AAAA records, or correct SITE_ORIGIN and "domain"')]
        : []),
      ...(asksItself
        ? [resolveName('www.tiktok.com', "look at this machine's resolver (/etc/resolv.conf)")]
        : []),
    ]);
  },
};

/** Free bytes that the database needs to go on for a while. */
const errorBelow = 200e6;
const warningBelow = 1e9;
const leastFreeNodes = 1000;

/** The folder, or the nearest one above it that is there. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

const disk: Check = {
  name: 'disk',
  async run({ environment: { DATA_DIR, KEPT_FILES_MB } }) {
    const { bavail, blocks, bsize, files, ffree } = await statfs(existing(resolve(DATA_DIR)));
    const free = bavail * bsize;
    const what = `${roomText(free)} of ${roomText(blocks * bsize)} free at ${DATA_DIR}`;
    const todo = `free some, or lower KEPT_FILES_MB (${KEPT_FILES_MB})`;
    if (free < errorBelow) return [{ level: 'error', what, todo }];
    // Some file systems make nodes as they are needed, and say that there are none.
    if (files > 0 && ffree < leastFreeNodes)
      return [{ level: 'error', what: `${what}, but room for ${ffree} files only`, todo }];
    if (free < warningBelow) return [{ level: 'warning', what, todo }];
    return [{ level: 'ok', what }];
  },
};

const site: Check = {
  name: 'site',
  async run({ configuration, origin }) {
    const found = siteFindings(configuration, origin);
    if (found.length > 0) return found;
    return [{ level: 'ok', what: `${configuration.brand} by ${configuration.operator} at ${origin}` }];
  },
};

/** The checks for every site; features add their own (`Feature.checks`). */
export const coreChecks: readonly Check[] = [
  ...[site, permissions, disk, database, redis, s3, clock, dns, platform, ffmpeg, front],
];
