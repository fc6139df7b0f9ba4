/** A page in the forms in which it is sent. */
interface EncodedBody {
  /** Without its quotes. */
  readonly tag: string;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The response. */
export interface PageResponse {
  readonly status: number;
  /** Names in lower case; without `set-cookie`, `etag`, lengths and encodings, which belong to the sending. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Empty for a cached response: its body is `encoded` and sent without compressing it again. */
  readonly body: Buffer;
  readonly encoded?: EncodedBody;
}

/** An answer of a few words. */
export function shortResponse(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(body),
  };
}
