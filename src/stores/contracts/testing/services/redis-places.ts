import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A Redis for one test file, which nobody else writes to. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  /** What `REDIS_URL` and `REDIS_PREFIX` would be. */
  readonly environment: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string };
  remove(): Promise<void>;
}

const given = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Whether somebody at this address answers as Redis does. */
async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    return await new Promise<boolean>((resolve) => {
      const no = () => resolve(false);
      socket.setTimeout(10_000, no);
      socket.once('error', no).once('close', no);
      socket.once('data', (data) => resolve(/^[+-]/.test(data.toString())));
      socket.write('PING\r\n');
    });
  } finally {
    socket.destroy();
  }
}

const hasProgram = async () => {
  const child = spawn('redis-server', ['--version'], { stdio: 'ignore' });
  return new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
};

/** A server of its own, in memory alone, which ends with the tests at the latest. */
async function startServer(): Promise<RedisPlace> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-redis-'));
  const child: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const ended = once(child, 'exit');
  while (!(await answers('127.0.0.1', port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await pause(20);
  }
  return {
    host: '127.0.0.1',
    port,
    environment: { REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_PREFIX: 'clipferry' },
    async remove() {
      process.off('exit', end);
      end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A corner of a server that runs already. */
async function useServer(): Promise<RedisPlace> {
  const { hostname, port } = new URL(given);
  return {
    host: hostname,
    port: Number(port || 6379),
    environment: { REDIS_URL: given, REDIS_PREFIX: `test-${randomUUID()}` },
    async remove() {},
  };
}

async function findRedis(): Promise<(() => Promise<RedisPlace>) | null> {
  if (await hasProgram()) return startServer;
  const { hostname, port } = new URL(given);
  return (await answers(hostname, Number(port || 6379))) ? useServer : null;
}

const make = await findRedis();

/** Whether there is a Redis to test with: the program is installed, or a server answers. What needs one is skipped otherwise. */
export const hasRedis = make !== null;

/**
 * Makes a Redis for a test: a server of its own where the program is installed, else a corner of the one that answers
 * (`TEST_REDIS_URL`, or the one on this machine).
 */
export function makeRedisPlace(): Promise<RedisPlace> {
  if (make === null) throw new Error('there is no Redis to test with');
  return make();
}
