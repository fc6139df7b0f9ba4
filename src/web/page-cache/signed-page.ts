import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { PageAnswer } from '../http/answers/answer.ts';

/** Signs cached pages outside the process with the site's key, and verifies them. */
export interface PageSigner {
  /** A page as the text that a cache host keeps. */
  signPage(key: string, answer: PageAnswer, lifeS: number): Buffer;
  /** The page in a text; null for one that is not ours, of another key or build, changed, too old, or kept for too long. */
  verifyPage(key: string, text: Buffer): PageAnswer | null;
}

interface PageSignerOptions {
  /** The site's secret; a key of its own is derived from it. */
  readonly secret: Uint8Array;
  /** Tells sites apart that have one secret. */
  readonly domain: string | undefined;
  /** Of this build: pages of another one ask for scripts that are not here. */
  readonly version: string;
  /** ms since the epoch */
  readonly now?: () => number;
}

const name = 'clipferry-page-1';

/** First line of a text: what it is, until when it may be shown, the page's headers, and the signature over everything. */
const firstLine = new RegExp(`^${name} ([\\w-]{43}) (\\d{1,15}) ([A-Za-z0-9_-]*)$`);
const longestLine = 64 * 1024;

/** What a site can have pages kept for at most: until later than that from now, only a wrong clock has kept one. */
const longestLifeS = 86_400;

const headersSchema = z.record(z.string(), z.string());

/**
 * Makes a signer. Whoever can write to the cache host can then take pages away, or show one for as long as it may be
 * shown, but neither change it, nor make one up, nor put it in another's place.
 */
export function createPageSigner({ secret, domain, version, now = Date.now }: PageSignerOptions): PageSigner {
  const derived = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'clipferry kept page', 32));
  const macKey = createSecretKey(derived);
  const macOf = (key: string, until: string, headers: string, body: Buffer) =>
    createHmac('sha256', macKey)
      .update(JSON.stringify([domain ?? '', key, version, until, headers]))
      .update(body)
      .digest('base64url');

  return {
    signPage(key, { headers, body }, lifeS) {
      const until = String(Math.floor(now() + Math.min(lifeS, longestLifeS) * 1000));
      const written = Buffer.from(JSON.stringify(headers)).toString('base64url');
      return Buffer.concat([
        Buffer.from(`${name} ${macOf(key, until, written, body)} ${until} ${written}\n`),
        body,
      ]);
    },
    verifyPage(key, text) {
      const end = text.subarray(0, longestLine).indexOf('\n');
      const [, mac = '', until = '', written = ''] =
        firstLine.exec(text.toString('latin1', 0, Math.max(0, end))) ?? [];
      if (mac === '') return null;
      const body = text.subarray(end + 1);
      const expected = macOf(key, until, written, body);
      if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return null;
      const leftMs = Number(until) - now();
      if (leftMs <= 0 || leftMs > longestLifeS * 1000) return null;
      const headers = headersSchema.parse(JSON.parse(Buffer.from(written, 'base64url').toString()));
      return { status: 200, headers, body };
    },
  };
}
