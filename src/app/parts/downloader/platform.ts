import packageFile from '../../../../package.json' with { type: 'json' };
import type { Extractor } from '../../../downloader/extractors/extractor.ts';
import { type ExtractorParts, hostListsOf, type Platform } from '../../../downloader/extractors/platform.ts';
import { platforms } from '../../../downloader/extractors/platforms.ts';
import { IdentityError } from '../../../downloader/extractors/tiktok/identities/identity.ts';
import type { YtdlpOptions } from '../../../downloader/extractors/tiktok/strategies/ytdlp.ts';
import type { Connections } from '../../../downloader/network/connections.ts';
import type { NetworkEvent } from '../../../downloader/network/contracts.ts';
import {
  directEgress,
  type EgressPool,
  ProxyEgressPool,
} from '../../../downloader/network/egress/egress-pool.ts';
import type { ProxyFailed } from '../../../downloader/network/network-failures.ts';
import { createPlatformNetwork } from '../../../downloader/network/platform-network.ts';
import type { Environment } from '../../../process/environment.ts';
import {
  type OutboundProxy,
  proxyAddress,
  withoutProxyCredentials,
} from '../../../process/outbound-proxy.ts';
import { EnvironmentError } from '../../../process/variables.ts';

interface PlatformOptions
  extends Pick<ExtractorParts, 'unreadable' | 'readings' | 'onBreaker' | 'sharedBreakers'> {
  /** The `PATH` variable, for the programs that an operator's own yt-dlp starts. */
  readonly searchPath: string;
  readonly observe?: (event: NetworkEvent) => void;
  /** Called for a proxy that is unreachable or rejects us. */
  readonly onUnreachable?: (error: ProxyFailed) => void;
}

/** Assembles the egresses and extractors as the environment asks. */
export async function assemblePlatform(
  environment: Environment,
  { searchPath, observe, onUnreachable, ...observers }: PlatformOptions,
) {
  const { OUTBOUND_PROXIES, YTDLP_PATH, USER_AGENTS } = environment;
  const { egresses, connections } = await openEgressPool(OUTBOUND_PROXIES, onUnreachable);
  const network = createPlatformNetwork({
    hosts: hostListsOf(platforms),
    proxy: environment,
    connections,
    observe(event) {
      observe?.(event);
      noteRefusedHost(event, observers.readings);
    },
  });
  const parts: ExtractorParts = {
    network,
    egresses,
    ...(USER_AGENTS && { userAgents: USER_AGENTS }),
    ownAgent: ownAgent(environment),
    honourSavingOff: environment.HONOUR_DOWNLOAD_SETTING,
    ytdlp: YTDLP_PATH === undefined ? null : ytdlpOptions(YTDLP_PATH, environment, searchPath),
    ...observers,
  };
  return { network, extractors: platforms.map((platform) => extractorOf(platform, parts)), egresses };
}

/** The network and the extractors: also all that the operator's canary needs. */
export type PlatformParts = Awaited<ReturnType<typeof assemblePlatform>>;

/** Counts a host to which a redirect leads as one that a post's page names: by the same closed list. */
function noteRefusedHost({ hosts, refusedHost }: NetworkEvent, readings: PlatformOptions['readings']): void {
  const platform = platforms.find(({ links }) => hosts.startsWith(`${links.platform}/`));
  if (refusedHost === undefined || platform === undefined) return;
  const shape = { kind: 'host', name: platform.nameOfRefusedHost(refusedHost) } as const;
  readings?.shape({ strategy: hosts, shape, example: refusedHost });
}

/** @throws EnvironmentError for user agents that contradict themselves */
function extractorOf(platform: Platform, parts: ExtractorParts): Extractor {
  try {
    return platform.createExtractor(parts);
  } catch (error) {
    if (error instanceof IdentityError) throw new EnvironmentError(`USER_AGENTS: ${error.message}`);
    throw error;
  }
}

/** The name under which a program asks that claims to be no browser. */
const ownAgent = ({ SITE_ORIGIN }: Environment) =>
  `Clipferry/${packageFile.version}${SITE_ORIGIN === undefined ? '' : ` (+${SITE_ORIGIN})`}`;

async function openEgressPool(
  proxies: readonly OutboundProxy[] | undefined,
  onUnreachable: PlatformOptions['onUnreachable'],
): Promise<{ egresses: EgressPool; connections: Connections | undefined }> {
  if (proxies === undefined) return { egresses: directEgress, connections: undefined };
  // Imported on demand: most sites never load it.
  const { createProxyConnections } = await import('../../../downloader/network/egress/proxy-connections.ts');
  const egresses = new ProxyEgressPool(proxies, () => performance.now());
  const connections = createProxyConnections({
    proxies,
    onUnreachable(egress, error) {
      if (egresses.unreachable(egress)) onUnreachable?.(error);
    },
  });
  return { egresses, connections };
}

/** yt-dlp takes its proxy from its environment, where no other account can read it. */
function ytdlpOptions(
  path: string,
  { HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, OUTBOUND_PROXIES = [] }: Environment,
  searchPath: string,
): YtdlpOptions {
  const proxyOf = (egress: string | undefined) => OUTBOUND_PROXIES.find(({ id }) => id === egress);
  return {
    path,
    env(egress) {
      const proxy = proxyOf(egress);
      const own =
        proxy === undefined
          ? { HTTPS_PROXY, NO_PROXY }
          : { HTTPS_PROXY: proxyAddress(proxy), NO_PROXY: undefined };
      return Object.fromEntries(
        Object.entries({ PATH: searchPath, ...own, SSL_CERT_FILE: NODE_EXTRA_CA_CERTS }).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        ),
      );
    },
    redact(text, egress) {
      const proxy = proxyOf(egress);
      return proxy === undefined ? text : withoutProxyCredentials(text, proxy);
    },
  };
}
