import { Failure } from '../../../../failures/failures.ts';
import type { TextResponse } from '../../../network/contracts.ts';
import { UncertainRefusal } from '../../extractor.ts';
import type { Substitute } from '../../matrix.ts';
import { UnreadableResponse } from '../../unreadable.ts';

/** Something that the platform sends to a client in place of the page that it asked for. */
export class Blocked extends Failure {
  readonly by: Substitute;

  constructor(by: Substitute, note: string) {
    super('platform_blocked', { note });
    this.by = by;
  }
}

/** Signs of a challenge page; searched only in pages without data. */
const signs: readonly {
  readonly text: string;
  readonly by: Substitute | 'throttled';
  readonly note: string;
}[] = [
  { text: 'overload-protect triggered', by: 'throttled', note: 'overload protection' },
  { text: '_wafchallengeid', by: 'challenge', note: 'challenge page' },
  { text: '"SlardarWAF"', by: 'challenge', note: 'challenge page' },
  { text: 'captcha-verify-container', by: 'challenge', note: 'captcha' },
  { text: 'captcha_verify_container', by: 'challenge', note: 'captcha' },
  { text: 'tiktok-verify-page', by: 'challenge', note: 'captcha' },
  { text: 'verifycenter', by: 'challenge', note: 'captcha' },
  { text: 'Maintenance', by: 'maintenance', note: 'maintenance page' },
];

/** Pages with data have 250 kB and more; a much smaller page is a substitute. */
const smallPage = 50_000;

/**
 * Refuses an answer by its status or final address; the body of any other must be read.
 * @throws Failure `platform_…`, `post_login_required`, `post_region_blocked`
 */
export function checkStatus({
  status,
  headers,
  url,
}: Pick<TextResponse, 'status' | 'headers' | 'url'>): void {
  const target = status >= 300 && status < 400 ? (headers.location ?? '') : url;
  if (/^(?:https:\/\/[^/]+)?\/login(?:[/?#]|$)/.test(target)) {
    throw new UncertainRefusal('post_login_required', { note: 'sent to the log-in page' });
  }
  const note = `HTTP ${status}`;
  if (status === 429) {
    const retryAfterS = Number(headers['retry-after']);
    const isStated = Number.isInteger(retryAfterS) && retryAfterS > 0 && retryAfterS <= 3_600;
    throw new Failure('platform_throttled', { note, ...(isStated && { retryAfterS }) });
  }
  if (status === 451) throw new UncertainRefusal('post_region_blocked', { note });
  if (status === 403 || status === 401) throw new Blocked('forbidden', note);
  // Small APIs answer 400 for an unknown post; each strategy reads that itself.
  if (status !== 200 && status !== 400) throw new Failure('platform_failed', { note });
}

/** The challenge, captcha or notice that the page shows; null for an unknown page. */
export function knownGate(body: Buffer): Failure | null {
  if (body.length >= smallPage) return null;
  const sign = signs.find(({ text }) => body.includes(text));
  if (sign === undefined) return null;
  const { by, note } = sign;
  return by === 'throttled' ? new Failure('platform_throttled', { note }) : new Blocked(by, note);
}

/**
 * The page of the site without posts is as large as one with posts; this bundle identifies it. The platform sends it to
 * some clients instead of any post.
 */
const staticSite = ['webapp-static-site', 'id="pumbaa-rule"', 'id="gfdatav1"'] as const;

function isStaticSite(body: Buffer): boolean {
  const [bundle, ...ids] = staticSite;
  return body.includes(bundle) || ids.every((id) => body.includes(id));
}

/** Names what a body without the expected data is. */
export function gateByBody(body: Buffer): Failure {
  const known = knownGate(body);
  if (known !== null) return known;
  if (isStaticSite(body)) return new Blocked('shell', 'the site without posts');
  if (body.length >= smallPage) {
    return new UnreadableResponse('page', { note: 'no data in a page of full size' });
  }
  return new Blocked('other', `page without data, ${body.length} bytes`);
}
