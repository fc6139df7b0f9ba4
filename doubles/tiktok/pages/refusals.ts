import { createGzip } from 'node:zlib';
import type { Answer } from '../transport/answer.ts';

/** Pages that stand in front of, or instead of, the post's page. */

const HTML = { 'content-type': 'text/html; charset=utf-8' };

function html(body: string, headers: Record<string, string> = {}, status = 200): Answer {
  return { status, headers: { ...HTML, ...headers }, body: Buffer.from(body) };
}

/** 7.4 kB without data: what link-preview bots get. */
export function decoyPage(): Answer {
  const meta = '<meta property="og:title" content="TikTok - Make Your Day">';
  return html(`<!DOCTYPE html><html><head>${meta.repeat(124)}</head><body></body></html>`);
}

/** The site without posts: as large as a page with a post, but without data. */
export function staticSitePage(): Answer {
  const scripts = ['pumbaa-rule', 'gfdatav1', 'api-domains']
    .map((id) => `<script id="${id}" type="application/json">{"version":1}</script>`)
    .join('');
  const bundle = '<script src="https://lf16-cdn.tiktokcdn-us.com/obj/webapp-static-site/main.js"></script>';
  return html(
    `<!DOCTYPE html><html><head>${scripts}${bundle}</head><body>${'<p>TikTok</p>'.repeat(8_000)}</body></html>`,
  );
}

/** The proof-of-work page. We recognise it and do not solve it. */
export function challengePage(withOriginalId: boolean): Answer {
  const original = withOriginalId
    ? '<p id="rci" class="waforiginalreid"></p><p id="rs" class="cmVzcG9uc2U="></p>'
    : '';
  const filler = `<!--${'x'.repeat(500)}-->`;
  return html(
    '<!DOCTYPE html><html><head><title></title>' +
      '<script id="slardar-config" type="application/json">{"bid":"slardar_us_waf","slardarClient":"SlardarWAF"}</script>' +
      `</head><body>Please wait...<p id="wci" class="_wafchallengeid"></p><p id="cs" class="eyJ2IjoiZG91YmxlIn0="></p>${original}` +
      `<script src="https://lf16-waf.tiktokcdn-us.com/waf-aiso/double.js"></script>${filler}</body></html>`,
    { 'x-tt-system-error': '3' },
  );
}

/** The 44 kB shell: scripts of the site, and no data. */
export function shellPage(): Answer {
  const chunks = Array.from({ length: 900 }, (_, n) => `"webapp-chunk-${n}-${(n * 7919).toString(36)}"`);
  return html(
    '<!DOCTYPE html><html lang="en"><head><title>TikTok - Make Your Day</title></head><body><div id="app"></div>' +
      `<script id="__LOADABLE_REQUIRED_CHUNKS__" type="application/json">[${chunks.join()}]</script>` +
      `${'<link rel="preload" as="script">'.repeat(700)}</body></html>`,
  );
}

/** Asks for a verification without a page: JSON says that all is well, a header says the opposite. */
export function verifyJson(): Answer {
  const answer = json({ code: 0, message: '' });
  return {
    ...answer,
    headers: { ...answer.headers, 'bdturing-verify': '{"code":"10000"}', 'x-tt-system-error': '3' },
  };
}

export function loginRedirect(from: string): Answer {
  return redirect(`https://www.tiktok.com/login?redirect_url=${encodeURIComponent(from)}`);
}

export function maintenancePage(): Answer {
  return html(
    `<html><head><title>Site Maintenance</title></head><body><h1>Site Under Maintenance</h1>${'<p>We will be back.</p>'.repeat(20)}</body></html>`,
    { 'x-tt-system-error': '3' },
  );
}

export function captchaPage(): Answer {
  return html(
    '<!DOCTYPE html><html><head><title>tiktok-verify-page</title></head><body><div class="captcha_verify_container" id="captcha-verify-container"></div>' +
      '<script src="https://lf16-verifycenter.tiktokcdn-us.com/verifycenter/captcha.js"></script></body></html>',
  );
}

export function captchaJson(): Answer {
  return json({ code: 10000, from: '', type: 'verify', subtype: 'slide', region: 'us', verify_event: '' });
}

export function json(value: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function redirect(location: string, status = 302, body = ''): Answer {
  return { status, headers: { ...HTML, location }, body: Buffer.from(body) };
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { ...HTML, ...headers }, body: Buffer.from(body) };
}

const bombs = new Map<number, Promise<Buffer>>();

/** This many zeros, compressed to about a thousandth; made at the first request and cached. */
export async function gzipBomb(bytes: number): Promise<Answer> {
  let bomb = bombs.get(bytes);
  if (bomb === undefined) {
    bomb = makeBomb(bytes);
    bombs.set(bytes, bomb);
  }
  return { status: 200, headers: { ...HTML, 'content-encoding': 'gzip' }, body: await bomb };
}

async function makeBomb(bytes: number): Promise<Buffer> {
  const block = Buffer.alloc(4_000_000);
  const gzip = createGzip({ level: 1 });
  const parts: Buffer[] = [];
  const collected = (async () => {
    for await (const part of gzip) parts.push(part as Buffer);
  })();
  for (let left = bytes; left > 0; left -= block.length) {
    const flowing = gzip.write(block.subarray(0, Math.min(left, block.length)));
    if (!flowing) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await collected;
  return Buffer.concat(parts);
}
