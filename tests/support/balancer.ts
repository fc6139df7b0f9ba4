import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { endWithTests } from './processes.ts';
import { until } from './until.ts';

/** nginx in front of several instances, which distributes requests round-robin. */
export interface Balancer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** The response header that lists the instances that received a request: their addresses, in this order. */
export const givenTo = 'x-instance';

/** Debian installs nginx in `/usr/sbin`, which stands beside `/usr/bin` on the PATH of administrators only. */
export const withSystemPrograms = {
  ...process.env,
  PATH: process.env.PATH?.replace(/(?:^|:)\/usr\/bin(?=:|$)/, '$&:/usr/sbin'),
};

/** Whether nginx is installed. */
export const hasBalancer = spawnSync('nginx', ['-v'], { env: withSystemPrograms }).status === 0;

const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const configuration = (folder: string, host: string, port: number, instances: readonly number[]) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors crit;
events { worker_connections 4096; }
http {
  access_log off;
  ${tempPaths.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  # Each request finds by itself who does not answer: one that was away for a moment is asked again at once.
  upstream site {
    ${instances.map((instance) => `server 127.0.0.1:${instance} max_fails=0;`).join('\n    ')}
    keepalive 32;
    keepalive_timeout 60s;
  }
  server {
    listen ${host}:${port};
    proxy_http_version 1.1;
    proxy_set_header Host              $http_host;
    proxy_set_header X-Forwarded-For   $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host  $http_host;
    proxy_set_header Connection        "";
    proxy_connect_timeout 1s;
    proxy_buffering off;
    add_header ${givenTo} $upstream_addr always;
    location / { proxy_pass http://site; }
    # While one version takes the place of another, each instance has the built files of its own alone.
    location /_app/ {
      proxy_pass http://site;
      proxy_next_upstream error timeout http_404;
    }
    # Asked a second time, it answers the same.
    location = /api/resolve {
      proxy_pass http://site;
      proxy_next_upstream error timeout non_idempotent;
    }
    location /api/files/ {
      proxy_pass http://site;
      proxy_read_timeout 5m;
    }
    location = /metrics { return 404; }
  }
}
`;

/**
 * Starts nginx in front of instances on this machine.
 * @param instances their ports
 * @throws when nginx is not installed or does not start
 */
export async function startBalancer(
  instances: readonly number[],
  { host = '127.0.0.1', port }: { readonly host?: string; readonly port?: number } = {},
): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-balancer-'));
  const own = port ?? (await freePort());
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, host, own, instances));
  const child = spawn('nginx', ['-c', file, '-e', join(folder, 'errors')], {
    // Not `inherit`: a reader waiting for the end of a test's output would wait for nginx, too.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withSystemPrograms,
    // Ctrl-C reaches it through this process.
    detached: true,
  });
  child.stdout.pipe(process.stdout);
  child.stderr.pipe(process.stderr);
  endWithTests(child);
  const ended = once(child, 'exit');
  const origin = `http://${host}:${own}`;
  const answers = () =>
    fetch(`${origin}/metrics`).then(
      ({ status }) => status === 404,
      () => false,
    );
  await until('the balancer answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return answers();
  });
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
