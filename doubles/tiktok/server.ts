import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControl } from './control.ts';
import { HOSTS } from './hosts.ts';
import { Platform, type PlatformOptions } from './platform.ts';
import { POSTS, postUrl } from './scenarios/posts.ts';
import { SHORT_LINKS } from './scenarios/short-links.ts';
import type { SettingsChange } from './settings.ts';
import { increment, opened, type Statistics } from './statistics.ts';
import { makeCertificates } from './transport/certificates.ts';
import { startProxy } from './transport/proxy.ts';

export interface TiktokDoubleOptions extends PlatformOptions {
  /** Port of the proxy; any free one by default. */
  readonly port?: number;
  /** Path of the authority's certificate (PEM); a temporary file by default. */
  readonly caFile?: string;
}

export interface TiktokDouble {
  /** For `HTTPS_PROXY`. */
  readonly proxyUrl: string;
  /** For `NODE_EXTRA_CA_CERTS`. */
  readonly caFile: string;
  readonly controlUrl: string;
  /** Addresses to paste, by the name of the post or short link. */
  readonly links: Readonly<Record<string, string>>;
  /** A copy of the counts so far. */
  stats(): Statistics;
  /** Restores counts, wearing faults and settings to their initial state. */
  reset(): void;
  configure(change: SettingsChange): void;
  close(): Promise<void>;
}

/** Addresses to paste, by the name of the post or short link. */
const LINKS: Readonly<Record<string, string>> = Object.fromEntries([
  ...POSTS.map((scenario) => [scenario.name, postUrl(scenario)]),
  ...SHORT_LINKS.map(({ name, url }) => [name, url]),
]);

/** Starts the platform's double: a forward proxy on loopback that plays the platform's hosts behind it. */
export async function startTiktokDouble(options: TiktokDoubleOptions = {}): Promise<TiktokDouble> {
  const { caFile = join(tmpdir(), `tiktok-double-${process.pid}-${randomBytes(6).toString('hex')}.pem`) } =
    options;
  const platform = new Platform(options);
  const certificates = await makeCertificates(Object.keys(HOSTS));
  await writeFile(caFile, certificates.authority);
  const proxy = await startProxy({
    port: options.port ?? 0,
    certificates,
    isKnownHost: (host) => Object.hasOwn(HOSTS, host),
    hostFault: (host) => platform.hostFault(host),
    alpn: (host) => {
      const role = HOSTS[host];
      return role === 'site' || role === 'short-link' ? platform.settings.alpn : 'http/1.1';
    },
    connectLatencyMs: () => platform.settings.latencyMs,
    onForeignHost: (target) => increment(platform.statistics.foreign, target),
    onConnection: (socket) => {
      opened(platform.statistics.connections);
      socket.on('close', () => {
        platform.statistics.connections.open -= 1;
      });
    },
    onRequest: (request) => void platform.answer(request),
  });
  const control = await startControl(platform, LINKS);
  return {
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    caFile,
    controlUrl: control.url,
    links: LINKS,
    stats: () => structuredClone(platform.statistics),
    reset: () => platform.reset(),
    configure: (change) => platform.configure(change),
    async close() {
      await Promise.all([proxy.close(), control.close()]);
      await rm(caFile, { force: true });
    },
  };
}
