import { z } from 'zod';
import type { Answer } from '../transport/answer.ts';
import { challengePage, loginRedirect, maintenancePage, text, verifyJson } from './refusals.ts';

/** The page that a client meets in place of a post's. */
const outcome = z.enum([
  'data',
  'challenge',
  'shell',
  'stub',
  'login',
  'maintenance',
  'verify-json',
  'forbidden',
  'throttle',
]);

const gateFields = z.strictObject({
  /** Agents of desktop browsers, of phones, and those without `Mozilla/5.0`. */
  desktop: outcome,
  phone: outcome,
  honest: outcome,
  /** The answer to a jar without a `ttwid` of ours; it brings the cookies. */
  coldJar: outcome,
  /** Whose `ttwid` makes a jar warm: that of any page, or only that of the home page. */
  warmedBy: z.enum(['any', 'home']),
  /** A `ttwid` that met a challenge is challenged from then on. */
  spoils: z.boolean(),
  /** Headers must be those of the claimed agent on a navigation; others meet the challenge. */
  consistent: z.boolean(),
  /** The only HTTP version that passes; others meet the challenge. */
  http: z.enum(['any', '1.1', '2']),
  /** Number of requests in ten that pass; the others meet the challenge. */
  passes: z.number().int().min(0).max(10),
  /** The phone's page: with encodings, without them, or without its item. */
  reflow: z.enum(['encodings', 'plain', 'no-item']),
  /** The home page: it answers, or never. */
  home: z.enum(['data', 'challenge', 'hang']),
});

/** The gate in front of the posts' pages, for one client or for all, as far as it differs from an open one. */
export const gateSchema = gateFields.partial();

export type GateChange = z.infer<typeof gateSchema>;
export type Gate = z.infer<typeof gateFields>;

export const openGate: Gate = {
  desktop: 'data',
  phone: 'data',
  honest: 'data',
  coldJar: 'data',
  warmedBy: 'any',
  spoils: false,
  consistent: false,
  http: 'any',
  passes: 10,
  reflow: 'encodings',
  home: 'data',
};

/** Each setting of the gate, described for people. */
export const gateHelp: Readonly<Record<keyof Gate, string>> = {
  desktop: 'what agents of desktop browsers get',
  phone: 'what agents of phones get',
  honest: 'what agents without Mozilla/5.0 get',
  coldJar: 'what a jar without a ttwid gets; the answer brings the cookies',
  warmedBy: 'whose ttwid makes a jar warm: any (page) or home',
  spoils: 'a ttwid that met a challenge is challenged from then on',
  consistent: 'headers must be those of the claimed agent on a navigation',
  http: 'the only HTTP version that passes: any, 1.1 or 2',
  passes: 'so many of ten requests pass, the others meet the challenge',
  reflow: "the phone's page: encodings, plain (without them) or no-item",
  home: 'the home page: data, challenge or hang',
};

export type AgentKind = 'desktop' | 'phone' | 'honest';

/** The kind of client that an agent claims to be. */
export function agentKind(userAgent: string): AgentKind {
  if (!userAgent.includes('Mozilla/5.0')) return 'honest';
  return /iPhone|Android/.test(userAgent) ? 'phone' : 'desktop';
}

/** A request to a post's page or to the home page, as the gate sees it. */
export interface GateQuestion {
  readonly gate: Gate;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly userAgent: string;
  readonly httpVersion: string;
  readonly address: string;
  readonly ttwid: string | undefined;
  readonly jars: Jars;
  /** Counts a request of this client and returns its number, from 0. */
  readonly countPass: () => number;
}

/** The `ttwid` values that were handed out, by what brought them, and those that met a challenge. */
export class Jars {
  readonly #broughtBy = new Map<string, { readonly by: 'page' | 'home'; readonly client: string }>();
  readonly #spoilt = new Set<string>();

  handOut(ttwid: string, by: 'page' | 'home', client: string): void {
    // A page keeps the value of a jar: the home page's stays one of the home page.
    if (!this.#broughtBy.has(ttwid)) this.#broughtBy.set(ttwid, { by, client });
  }

  isWarm(ttwid: string | undefined, warmedBy: Gate['warmedBy']): boolean {
    const brought = ttwid === undefined ? undefined : this.#broughtBy.get(ttwid);
    return brought !== undefined && (warmedBy === 'any' || brought.by === 'home');
  }

  /** Whether a value was handed out to another client. */
  isForeign(ttwid: string, client: string): boolean {
    const brought = this.#broughtBy.get(ttwid);
    return brought !== undefined && brought.client !== client;
  }

  isSpoilt(ttwid: string | undefined): boolean {
    return ttwid !== undefined && this.#spoilt.has(ttwid);
  }

  spoil(ttwid: string | undefined): void {
    if (ttwid !== undefined) this.#spoilt.add(ttwid);
  }

  clear(): void {
    this.#broughtBy.clear();
    this.#spoilt.clear();
  }
}

/** The gate's decision: an answer instead of the post, `stub` for a page without its item, or null to pass. */
export function atGate(question: GateQuestion): Answer | 'stub' | 'shell' | null {
  const decided = decide(question);
  switch (decided) {
    case 'data':
      return null;
    case 'stub':
    case 'shell':
      return decided;
    case 'challenge':
      if (question.gate.spoils) question.jars.spoil(question.ttwid);
      return challengePage(false);
    case 'login':
      return loginRedirect(question.address);
    case 'maintenance':
      return maintenancePage();
    case 'verify-json':
      return verifyJson();
    case 'forbidden':
      return text(403, 'Access Denied');
    case 'throttle':
      return text(429, 'overload-protect triggered');
  }
}

function decide({
  gate,
  headers,
  userAgent,
  httpVersion,
  ttwid,
  jars,
  countPass,
}: GateQuestion): z.infer<typeof outcome> {
  if (gate.spoils && jars.isSpoilt(ttwid)) return 'challenge';
  if (gate.http !== 'any' && Number(httpVersion) !== Number(gate.http)) return 'challenge';
  if (gate.consistent && !isConsistent(userAgent, headers)) return 'challenge';
  const byAgent = gate[agentKind(userAgent)];
  if (byAgent !== 'data') return byAgent;
  // Spread evenly: with 7, the third, sixth and ninth of ten meet the challenge.
  if (gate.passes < 10 && ((countPass() + 1) * gate.passes) % 10 >= gate.passes) return 'challenge';
  return jars.isWarm(ttwid, gate.warmedBy) ? 'data' : gate.coldJar;
}

const platforms: readonly (readonly [RegExp, string])[] = [
  [/Windows NT/, 'Windows'],
  [/Android/, 'Android'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Whether the headers are those of a navigation by the claimed agent. */
function isConsistent(userAgent: string, headers: GateQuestion['headers']): boolean {
  const header = (name: string) => String(headers[name] ?? '');
  const hints = Object.keys(headers).filter((name) => name.startsWith('sec-ch-ua'));
  if (!userAgent.includes('Mozilla/5.0')) return hints.length === 0 && header('sec-fetch-mode') === '';
  const isNavigation =
    header('sec-fetch-mode') === 'navigate' &&
    header('sec-fetch-dest') === 'document' &&
    header('accept').includes('text/html') &&
    header('accept-language') !== '';
  if (!isNavigation) return false;
  const chrome = /\bChrome\/(\d+)/.exec(userAgent)?.[1];
  if (chrome === undefined) return hints.length === 0;
  const platform = platforms.find(([sign]) => sign.test(userAgent))?.[1];
  return (
    header('sec-ch-ua').includes(`"Chromium";v="${chrome}"`) &&
    header('sec-ch-ua-mobile') === (/\bMobile\b/.test(userAgent) ? '?1' : '?0') &&
    header('sec-ch-ua-platform') === `"${platform}"`
  );
}
