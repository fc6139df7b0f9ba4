import { BROKEN_HOSTS, HOSTS, type HostFault } from './hosts.ts';
import { mediaAnswer } from './media/servers.ts';
import type { Minting } from './media/signing.ts';
import { agentKind, type GateQuestion, Jars } from './pages/gate.ts';
import { shortLinkHostAnswer, siteAnswer } from './pages/site.ts';
import { gzipAccepted, parseCookies, randomSource } from './requests.ts';
import type { MediaRule, PostScenario } from './scenarios/scenario.ts';
import {
  changed,
  gateFor,
  initialSettings,
  type LineSettings,
  type Settings,
  type SettingsChange,
} from './settings.ts';
import {
  emptyStatistics,
  increment,
  opened,
  postStatistics,
  type RequestKind,
  resetStatistics,
} from './statistics.ts';
import { type Answer, sendAnswer } from './transport/answer.ts';
import { Line } from './transport/line.ts';
import type { ProxiedRequest } from './transport/proxy.ts';

export interface PlatformOptions extends Partial<LineSettings> {
  /** Makes cookies and log ids the same in every run. */
  readonly seed?: number;
}

/** The platform's state: settings, counts, the clock, and which faults have worn off. */
export class Platform {
  readonly statistics = emptyStatistics();
  settings: Settings;
  readonly #initial: Settings;
  readonly #random: () => number;
  readonly #turns = new Map<MediaRule, number>();
  readonly #reads = new Map<PostScenario, number>();
  readonly #lines = new Map<string, Line>();
  readonly #jars = new Jars();
  /** Requests at the gate, by client. */
  readonly #passes = new Map<string, number>();

  constructor({ latencyMs, bandwidthBps, seed = 1 }: PlatformOptions) {
    this.#initial = initialSettings({
      ...(latencyMs === undefined ? {} : { latencyMs }),
      ...(bandwidthBps === undefined ? {} : { bandwidthBps }),
    });
    this.settings = this.#initial;
    this.#random = randomSource(seed);
  }

  reset(): void {
    resetStatistics(this.statistics);
    this.settings = this.#initial;
    this.#turns.clear();
    this.#reads.clear();
    this.#lines.clear();
    this.#jars.clear();
    this.#passes.clear();
  }

  configure(change: SettingsChange): void {
    this.settings = changed(this.settings, change);
    this.#lines.clear();
  }

  hostFault(host: string): HostFault | undefined {
    return this.settings.hostFaults[host] ?? BROKEN_HOSTS[host];
  }

  /** Answers one request that came through the proxy. */
  async answer({ host, client, request, response, reset }: ProxiedRequest): Promise<void> {
    const aborted = new AbortController();
    response.on('close', () => aborted.abort());
    // Only the answer matters; the response notices the end of a request.
    request.on('error', () => aborted.abort());
    request.resume();
    // The connection is older than the fault.
    const fault = this.hostFault(host);
    if (fault !== undefined) {
      if (fault !== 'hang') response.destroy();
      return;
    }
    opened(this.statistics.transfers);
    try {
      const { kind, scenario, answer } = await this.#route(host, client, request);
      this.#count(host, client, kind, scenario, answer.status);
      increment(this.statistics.byHttpVersion, request.httpVersion);
      const line = this.#lineFor(scenario);
      await sendAnswer(response, answer, {
        latencyMs: line.latencyMs,
        line: line.line,
        onBytes: (bytes) => {
          this.statistics.bytesSent += bytes;
          if (scenario !== undefined) postStatistics(this.statistics, scenario.name).bytesSent += bytes;
        },
        reset,
        signal: aborted.signal,
      });
    } catch (error) {
      // A client that leaves is not an error of the double. Anything else is.
      if (!aborted.signal.aborted) {
        console.error(error);
        response.destroy();
      }
    } finally {
      this.statistics.transfers.open -= 1;
    }
  }

  async #route(
    host: string,
    client: string,
    request: ProxiedRequest['request'],
  ): Promise<{ kind: RequestKind; scenario: PostScenario | undefined; answer: Answer }> {
    const url = new URL(`https://${host}${request.url ?? '/'}`);
    const userAgent = request.headers['user-agent'] ?? '';
    const nowS = Math.floor(this.#nowMs() / 1000);
    const cookies = parseCookies(request.headers.cookie);
    const role = HOSTS[host];
    if (role === undefined) throw new Error(`${host} is no host of the double`);
    if ([...cookies.values()].some((value) => this.#jars.isForeign(value, client)))
      this.statistics.foreignCookies += 1;
    const isPhonePage =
      host === 'm.tiktok.com' && url.pathname.startsWith('/v/') && agentKind(userAgent) === 'phone';
    if (role === 'site' || isPhonePage) {
      const found = siteAnswer({
        url,
        userAgent,
        gzip: gzipAccepted(request.headers['accept-encoding']),
        hasCookies: cookies.size > 0,
        settings: this.settings,
        mood: this.settings.clients[client] ?? null,
        gate: this.#atGate(url.href, client, request, cookies),
        client,
        mint: (id) => this.#mint(id, client),
        countRead: (scenario) => {
          const reads = (this.#reads.get(scenario) ?? 0) + 1;
          this.#reads.set(scenario, reads);
          return reads;
        },
      });
      if (found.kind === 'page') increment(this.statistics.byAgent, agentKind(userAgent));
      return { kind: found.kind, scenario: found.scenario, answer: await found.answer };
    }
    if (role === 'short-link') {
      const found = shortLinkHostAnswer(url, userAgent);
      return { kind: found.kind, scenario: undefined, answer: await found.answer };
    }
    const { file, answer } = mediaAnswer({
      url,
      host,
      client,
      role,
      nowS,
      cookies,
      userAgent,
      referer: request.headers.referer ?? '',
      range: request.headers.range,
      takeTurn: (rule) => this.#takeTurn(rule),
    });
    return { kind: file?.kind ?? 'other', scenario: file?.scenario, answer };
  }

  #atGate(
    address: string,
    client: string,
    { headers, httpVersion }: ProxiedRequest['request'],
    cookies: ReadonlyMap<string, string>,
  ): GateQuestion {
    return {
      gate: gateFor(this.settings, client),
      headers,
      userAgent: headers['user-agent'] ?? '',
      httpVersion,
      address,
      ttwid: cookies.get('ttwid'),
      jars: this.#jars,
      countPass: () => {
        const passes = this.#passes.get(client) ?? 0;
        this.#passes.set(client, passes + 1);
        return passes;
      },
    };
  }

  /** True while the rule has not worn off. */
  #takeTurn(rule: MediaRule): boolean {
    const turn = (this.#turns.get(rule) ?? 0) + 1;
    this.#turns.set(rule, turn);
    return turn > (rule.after ?? 0) && turn <= (rule.times ?? Number.POSITIVE_INFINITY);
  }

  #nowMs(): number {
    return Date.now() + this.settings.clockOffsetMs;
  }

  #mint(id: string, client: string): Minting {
    const nowMs = this.#nowMs();
    const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(this.#random() * 256)));
    const stamp = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14);
    return {
      id,
      nowS: Math.floor(nowMs / 1000),
      chainToken: bytes.toString('base64'),
      logId: `${stamp}${bytes.toString('hex').slice(0, 18).toUpperCase()}`,
      client,
      stale: false,
    };
  }

  #count(
    host: string,
    client: string,
    kind: RequestKind,
    scenario: PostScenario | undefined,
    status: number,
  ): void {
    const { statistics } = this;
    statistics.requests += 1;
    increment(statistics.byHost, host);
    increment(statistics.byKind, kind);
    increment(statistics.byStatus, String(status));
    statistics.byClient[client] ??= {};
    increment(statistics.byClient[client], kind);
    if (scenario === undefined) return;
    const post = postStatistics(statistics, scenario.name);
    post.requests += 1;
    increment(post.byKind, kind);
  }

  #lineFor(scenario: PostScenario | undefined): { latencyMs: number; line: Line | null } {
    const own = scenario === undefined ? undefined : this.settings.posts[scenario.name];
    const latencyMs = own?.latencyMs ?? this.settings.latencyMs;
    const isOwn = own?.bandwidthBps !== undefined;
    const bandwidthBps = isOwn ? own.bandwidthBps : this.settings.bandwidthBps;
    if (bandwidthBps === null || bandwidthBps === undefined) return { latencyMs, line: null };
    const key = isOwn ? (scenario?.name ?? '') : '';
    let line = this.#lines.get(key);
    if (line === undefined) {
      line = new Line(bandwidthBps);
      this.#lines.set(key, line);
    }
    return { latencyMs, line };
  }
}
