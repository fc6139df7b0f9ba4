import type { Environment } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/** `warning`: the site works, and something of it does not or will not; `error`: it does not work as it is set up. */
export type Level = 'ok' | 'warning' | 'error';

/** One line of `doctor`. */
export interface Finding {
  readonly level: Level;
  /** The finding in a few words; never a secret. */
  readonly what: string;
  /** Advice for the operator. */
  readonly todo?: string;
  /** Distinguishes several findings of one check: `page by socks5://proxy.example:1080`. */
  readonly of?: string;
}

const finding =
  (level: Level) =>
  (what: string, todo?: string, of?: string): Finding => ({
    ...{ level, what },
    ...(todo !== undefined && { todo }),
    ...(of !== undefined && { of }),
  });

/** Findings of each level: what was found, what to do about it, and of what it is. */
export const ok = finding('ok');
export const warning = finding('warning');
export const error = finding('error');

/** Values that checks may read. */
export interface CheckContext {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
  /** Public origin without a last slash. */
  readonly origin: string;
  /** A link to a post that should be readable. */
  readonly post: string;
  /** Whether a check may send a test message. */
  readonly mayTell: boolean;
  /** Aborted when the check has had its time. */
  readonly signal: AbortSignal;
}

/** Looks at one thing that the site needs. What it changes is named in the help of `doctor`. */
export interface Check {
  /** One word: `database`. */
  readonly name: string;
  /** Advice where it throws, or takes too long. */
  readonly todo: string;
  /** Milliseconds; 15,000 by default. */
  readonly limitMs?: number;
  /** @returns nothing where the site does not use it. What it throws is reported as an error */
  run(context: CheckContext): Promise<readonly Finding[]>;
}
