/**
 * A notification to many subscribers, by the command and against a push service of this machine: time and memory.
 * `node bench/push.ts [subscribers]`; 100,000 when nothing is said. The push service takes a part of the processor.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '../src/stores/embedded/sqlite-database.ts';
import { runCli } from '../tests/support/cli.ts';
import { endWithTests } from '../tests/support/processes.ts';
import { makeDevice, startPushService } from '../tests/support/push-service.ts';
import { print } from './support/report.ts';

const subscribers = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'clipferry-bench-push-'));
const service = await startPushService({ isCounting: true });
const keys = await runCli(['push', 'keys', '--json'], {});
const { publicKey, privateKey } = JSON.parse(keys.output) as { publicKey: string; privateKey: string };
const env = {
  PATH: process.env.PATH ?? '',
  ...service.env,
  DATA_DIR: folder,
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: 'mailto:operator@site.example',
};

/** Writes the subscriptions as if they had registered. */
async function fill(): Promise<void> {
  await runCli(['push', 'list'], env);
  const database = openSqliteDatabase(join(folder, 'clipferry.db'));
  const { pdhkey, auth } = makeDevice();
  const about = { device_model: '', app_id: '', explorer: '', explorer_version: '', made_at: 0, seen_at: 0 };
  for (let at = 0; at < subscribers; at += 500)
    await database.query
      .insertInto('push_subscriptions')
      .values(
        Array.from({ length: Math.min(500, subscribers - at) }, (_, n) => ({
          ...about,
          endpoint: service.endpoint(`device-${at + n}`),
          auth,
          pdhkey,
          language: 'en',
          diff_time: 0,
        })),
      )
      .execute();
  await database.close();
}

/** Largest resident memory so far, MB; the last one known when the process is gone. */
function peakMb(pid: number, last: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? last * 1024) / 1024;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return last;
  }
}

try {
  await fill();
  const words = ['push', 'send', '--now', '--title', 'News', '--json'];
  const started = performance.now();
  const command = spawn(process.execPath, ['src/cli/main.ts', ...words], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithTests(command);
  let memoryMb = 0;
  const watch = setInterval(() => {
    memoryMb = peakMb(command.pid ?? 0, memoryMb);
  }, 500);
  await once(command, 'exit');
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  const heard = new Set(service.delivered.map(({ device }) => device)).size;
  print({
    what: `${subscribers} subscribers: not reached`,
    value: subscribers - heard,
    unit: 'devices',
    atMost: 0,
  });
  print({
    what: `${subscribers} subscribers: reached twice`,
    value: service.delivered.length - heard,
    unit: 'devices',
    atMost: 0,
  });
  print({ what: `${subscribers} subscribers: time`, value: seconds, unit: 's' });
  print({ what: `${subscribers} subscribers: most memory of the command`, value: memoryMb, unit: 'MB' });
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
