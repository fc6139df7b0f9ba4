import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { PageAnswer } from '../http/answer.ts';
import { consentOf } from '../http/consent.ts';
import type { PageExchange } from './exchange.ts';

const opened: ReadonlySet<string | undefined> = new Set(['script-src', 'connect-src', 'img-src']);

/**
 * A page's policy, opened for the scripts of one origin: what they load and send there, and the default policy by which
 * they may name further scripts.
 */
function openedFor(policy: string, origin: string): string {
  return policy
    .split('; ')
    .map((directive) => {
      const [name] = directive.split(' ', 1);
      if (opened.has(name)) return `${directive} ${origin}`;
      return name === 'trusted-types' ? `${directive.replace(" 'none'", '')} default` : directive;
    })
    .join('; ');
}

/**
 * Opens a page's policy for the tag script of its language, for a visitor who agreed to marketing, on their own answer
 * alone: a kept page has the usual one. What the script loads comes without credentials.
 */
export function openForTag(
  { headers }: PageAnswer,
  exchange: Pick<PageExchange, 'address' | 'answerHeaders' | 'headers' | 'sharedS'>,
  { visitors: { tags, consent } }: SiteConfiguration,
): void {
  const policy = headers['content-security-policy'];
  if (tags === null || policy === undefined || tags.ids[exchange.address.locale] === undefined) return;
  if (!consentOf(exchange.headers, consent).marketing) return;
  exchange.answerHeaders['content-security-policy'] = openedFor(policy, new URL(tags.host).origin);
  exchange.answerHeaders['cross-origin-embedder-policy'] = 'credentialless';
  exchange.sharedS = 0;
}
