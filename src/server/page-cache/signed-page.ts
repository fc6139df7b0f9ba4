import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { PageResponse } from '../http/responses/response.ts';

interface PageSignerOptions {
  /** The site's secret; signed pages use a key derived from it. */
  readonly secret: Uint8Array;
  /** Tells sites apart that have one secret. */
  readonly domain: string | undefined;
  /** Name of this build: pages of another one refer to scripts that it lacks. */
  readonly version: string;
  /** ms since the epoch */
  readonly now?: () => number;
}

const name = 'clipferry-page-1';

/** First line of a text: what it is, until when it may be shown, the page's headers, and the signature over everything. */
const firstLine = new RegExp(`^${name} ([\\w-]{43}) (\\d{1,15}) ([A-Za-z0-9_-]*)$`);
const longestLine = 64 * 1024;

/** The longest possible lifetime of a page: one with a later expiry was stored by a wrong clock. */
const longestLifeS = 86_400;

const headersSchema = z.record(z.string(), z.string());

/**
 * Creates a signer. With write access to the cache host one can delete pages, or replay one until it expires, but
 * cannot alter or forge one, or put it in another's place.
 */
export function createPageSigner({ secret, domain, version, now = Date.now }: PageSignerOptions) {
  const derived = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'clipferry kept page', 32));
  const macKey = createSecretKey(derived);
  const macOf = (key: string, until: string, headers: string, body: Buffer) =>
    createHmac('sha256', macKey)
      .update(JSON.stringify([domain ?? '', key, version, until, headers]))
      .update(body)
      .digest('base64url');

  return {
    /** A page as the text that a cache host stores. */
    signPage(key: string, { headers, body }: PageResponse, lifeS: number) {
      const until = String(Math.floor(now() + Math.min(lifeS, longestLifeS) * 1000));
      const written = Buffer.from(JSON.stringify(headers)).toString('base64url');
      return Buffer.concat([
        Buffer.from(`${name} ${macOf(key, until, written, body)} ${until} ${written}\n`),
        body,
      ]);
    },
    /**
     * The page in a text; null when it is not ours, of another key or build, altered, expired, or stored for too long.
     */
    verifyPage(key: string, text: Buffer) {
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

/** Signs cached pages outside the process with the site's key, and verifies them. */
export type PageSigner = ReturnType<typeof createPageSigner>;
