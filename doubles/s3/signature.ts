import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const maxClockErrorMs = 15 * 60_000;
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Why a request is not signed as Signature Version 4 requires (AWS, "Authenticating Requests: Using the Authorization
 * Header"); null when it is.
 * @param body the sent bytes, which must match the signed digest unless the signature excludes them
 */
export function wrongSignature(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: Credentials,
): string | null {
  const [, key, date = '', scopeRegion, signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (key === undefined) return 'AccessDenied';
  if (key !== accessKeyId) return 'InvalidAccessKeyId';
  if (scopeRegion !== region) return 'AuthorizationHeaderMalformed';
  const time = String(headers['x-amz-date'] ?? '');
  const sent = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(sent - Date.now()) < maxClockErrorMs) || !time.startsWith(date))
    return 'RequestTimeTooSkewed';
  const digest = String(headers['x-amz-content-sha256'] ?? '');
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signedHeaders.split(';');
  const must = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!must.every((name) => names.includes(name))) return 'AccessDenied';

  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').filter(Boolean).map(withEquals).sort().join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .replace(/\s+/g, ' ')
          .trim()}`,
    ),
    '',
    signedHeaders,
    digest,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const signingKey = ['s3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    hmac(hmac(`AWS4${secretAccessKey}`, date), region),
  );
  const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n'));
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

const withEquals = (pair: string) => (pair.includes('=') ? pair : `${pair}=`);
