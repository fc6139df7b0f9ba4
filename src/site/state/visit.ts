import { deviceOf } from './device.ts';
import { type System, systemOf } from './system.ts';

/** The part that only a request or a browser knows: never part of a page that others see. */
export interface VisitState {
  /** With its port. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** The whole requested address. */
  readonly url: string;
  readonly isMobile: boolean;
  readonly system: System;
  readonly isX64: boolean;
  readonly isWebp: boolean;
  /** The referring page; empty when there is none, or it is not stated. */
  readonly refererUrl: string;
}

/**
 * The names that browsers on Windows and Linux use for any 64-bit processor. Macs do not state it, and have no other.
 */
const x64 = /\b(?:Win64|WOW64|x64|x86_64|amd64|aarch64|arm64)\b|Macintosh/i;

/** The device according to a `User-Agent`. Without a system it counts as Windows: offers for a system need one. */
export function deviceState(agent: string): Pick<VisitState, 'isMobile' | 'system' | 'isX64'> {
  const system = systemOf(agent);
  return {
    isMobile: deviceOf(agent) === 'mobile',
    system: system === 'other' ? 'win' : system,
    isX64: x64.test(agent),
  };
}
