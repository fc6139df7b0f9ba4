/** What only a request or a browser knows: never part of a page that others are shown. */
export interface VisitState {
  /** With its port. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** The whole address that was asked. */
  readonly url: string;
  readonly isMobile: boolean;
  readonly system: System;
  readonly isX64: boolean;
  readonly isWebp: boolean;
  /** The page that led here; empty where there is none, or nobody says it. */
  readonly refererUrl: string;
}

type System = 'win' | 'mac' | 'linux' | 'android' | 'ios';

const mobile = /\bMobi|Android|iPhone|iPad|iPod/;

const systems = [
  ['ios', /iPhone|iPad|iPod/],
  ['android', /Android/],
  ['win', /Windows/],
  ['mac', /Macintosh/],
  ['linux', /Linux/],
] as const;

/** As browsers on Windows and Linux name a processor of 64 bits, whichever it is. Macs do not say it, and have no other. */
const x64 = /\b(?:Win64|WOW64|x64|x86_64|amd64|aarch64|arm64)\b|Macintosh/i;

/** The kind of device by a `User-Agent`; an iPad that says it is a Mac counts as a desktop. */
export const deviceOf = (agent: string): 'mobile' | 'desktop' => (mobile.test(agent) ? 'mobile' : 'desktop');

/** The system by a `User-Agent`. */
export const systemOf = (agent: string): System | 'other' =>
  systems.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'other';

/**
 * What a `User-Agent` says of a device. Where it names no system, Windows is taken for it: the offers for a system need
 * one.
 */
export function deviceState(agent: string): Pick<VisitState, 'isMobile' | 'system' | 'isX64'> {
  const system = systemOf(agent);
  return {
    isMobile: deviceOf(agent) === 'mobile',
    system: system === 'other' ? 'win' : system,
    isX64: x64.test(agent),
  };
}
