import { sql } from 'kysely';
import {
  type Check,
  type CheckContext,
  error,
  type Finding,
  ok,
  warning,
} from '../../../../server/commands/checks.ts';
import { assemblePlatform } from '../../../parts/downloader/platform.ts';
import { withPostgresql } from '../../postgresql.ts';

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

const todo = 'let the system keep the time (systemd-timesyncd, chrony)';

/** @param s how far this machine's clock is ahead */
export function skewFinding(s: number, whose: string): Finding {
  if (Number.isNaN(s)) return warning(`${whose} does not say what time it is`);
  const what = `${Math.abs(s).toFixed(1)} s ${s < 0 ? 'behind' : 'ahead of'} ${whose}`;
  if (Math.abs(s) > errorAboveS) return error(what, todo);
  return Math.abs(s) > warningAboveS ? warning(what, todo) : ok(what);
}

export const clock: Check = {
  name: 'clock',
  todo,
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
