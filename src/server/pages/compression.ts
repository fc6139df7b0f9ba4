import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Below this the headers outweigh the saving. */
const leastBytes = 800;

export type ContentEncoding = 'br' | 'gzip' | null;

/**
 * The best encoding that a request accepts (RFC 9110, section 12.5.3); a weight of 0 forbids one.
 */
export function acceptedEncoding(acceptEncoding: string | undefined): ContentEncoding {
  const refused = (name: string) =>
    new RegExp(`\\b${name}\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$)`).test(acceptEncoding ?? '');
  const accepted = (name: string) =>
    new RegExp(`(?:^|[\\s,])${name}\\b`).test(acceptEncoding ?? '') && !refused(name);
  if (accepted('br')) return 'br';
  return accepted('gzip') ? 'gzip' : null;
}

/** Compresses a rendered page with settings fit for doing it once per request. */
export async function compress(
  bytes: Buffer,
  wanted: ContentEncoding,
): Promise<{ bytes: Buffer; encoding: ContentEncoding }> {
  if (wanted === null || bytes.length < leastBytes) return { bytes, encoding: null };
  if (wanted === 'gzip') return { bytes: await toGzip(bytes, { level: 5 }), encoding: wanted };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { bytes: await toBrotli(bytes, { params }), encoding: wanted };
}
