import { deviceOf } from './device.ts';
import { type System, systemOf } from './system.ts';

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

/** As browsers on Windows and Linux name a processor of 64 bits, whichever it is. Macs do not say it, and have no other. */
const x64 = /\b(?:Win64|WOW64|x64|x86_64|amd64|aarch64|arm64)\b|Macintosh/i;

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
