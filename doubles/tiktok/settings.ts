import { z } from 'zod';
import { type Gate, type GateChange, gateSchema, openGate } from './pages/gate.ts';

const line = {
  /** Delay before each answer, and once more before a new connection. */
  latencyMs: z.number().min(0).max(60_000),
  /** Bits per second of all bodies together, like a visitor's line; null means no limit. */
  bandwidthBps: z.number().positive().nullable(),
};

/** Settings that can change while the double runs. Absent ones stay unchanged. */
export const settingsChangeSchema = z
  .strictObject({
    ...line,
    /** The video gateway's response: a redirect to a file, or the 404 page that data centres get. */
    gateway: z.enum(['residential', 'datacentre']),
    /** First and last major version of Chrome to which the maintenance page is shown. */
    blockedChrome: z.tuple([z.number(), z.number()]).nullable(),
    /** Unreachable hosts, by name; null makes a host healthy again. */
    hostFaults: z.record(z.string(), z.enum(['refuse', 'bad-tls', 'hang']).nullable()),
    /** The pages' treatment of a client, by its address; null makes it welcome again. */
    clients: z.record(z.string(), z.enum(['challenge', 'throttle']).nullable()),
    /** The gate in front of the pages, for all clients. */
    gate: gateSchema,
    /** The gate for one client, by its address, where it differs from the one for all; null removes it. */
    gates: z.record(z.string(), gateSchema.nullable()),
    /** The protocol that hosts of pages and short links choose by ALPN; `lies` agrees on h2 and speaks HTTP/1.1. */
    alpn: z.enum(['h2', 'http/1.1', 'lies']),
    /**
     * Further cookies of each page: one of 8 kB, foreign domains, control characters …, or 500 more than headers have
     * room for.
     */
    oddCookies: z.enum(['none', 'odd', 'too-many']),
    /** Shifts the clock by which addresses expire. */
    advanceMs: z.number(),
    /** Latency and bandwidth of one post, by its name in the list. */
    posts: z.record(z.string(), z.strictObject(line).partial()),
  })
  .partial();

export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export interface LineSettings {
  readonly latencyMs: number;
  readonly bandwidthBps: number | null;
}

export interface Settings extends LineSettings {
  readonly gateway: 'residential' | 'datacentre';
  readonly blockedChrome: readonly [number, number] | null;
  readonly hostFaults: Readonly<Record<string, 'refuse' | 'bad-tls' | 'hang' | null>>;
  readonly clients: Readonly<Record<string, 'challenge' | 'throttle' | null>>;
  readonly gate: Gate;
  readonly gates: Readonly<Record<string, GateChange | null>>;
  readonly alpn: 'h2' | 'http/1.1' | 'lies';
  readonly oddCookies: 'none' | 'odd' | 'too-many';
  readonly clockOffsetMs: number;
  readonly posts: Readonly<Record<string, Partial<LineSettings>>>;
}

/** The initial settings of a double, also after a reset. */
export function initialSettings(lineSettings: Partial<LineSettings>): Settings {
  return {
    latencyMs: lineSettings.latencyMs ?? 0,
    bandwidthBps: lineSettings.bandwidthBps ?? null,
    gateway: 'datacentre',
    blockedChrome: null,
    hostFaults: {},
    clients: {},
    gate: openGate,
    gates: {},
    alpn: 'h2',
    oddCookies: 'none',
    clockOffsetMs: 0,
    posts: {},
  };
}

/** The gate that a client meets. */
export function gateFor(settings: Settings, client: string): Gate {
  return { ...settings.gate, ...settings.gates[client] } as Gate;
}

/** The settings after a change. */
export function changed(settings: Settings, change: SettingsChange): Settings {
  const { advanceMs = 0, hostFaults = {}, clients = {}, gate = {}, gates = {}, posts = {}, ...rest } = change;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...settings,
    ...given,
    clockOffsetMs: settings.clockOffsetMs + advanceMs,
    hostFaults: { ...settings.hostFaults, ...hostFaults },
    clients: { ...settings.clients, ...clients },
    gate: { ...settings.gate, ...gate } as Gate,
    gates: { ...settings.gates, ...gates },
    posts: { ...settings.posts, ...(posts as Settings['posts']) },
  };
}
