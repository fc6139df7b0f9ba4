import type { MediaSource } from '../post/post.ts';

/**
 * Name of an allow-list of hosts: the platform and the purpose of the hosts, such as `tiktok/page`. A platform's list
 * of video, sound and picture servers is named `{platform}/media`.
 */
export type HostListName = `${string}/${string}`;

/** The HTTP version of a request. A host that does not speak HTTP/2 answers by 1.1. */
export type HttpVersion = '1.1' | '2';

/** The cookies of a client, read before each request and filled by each answer, also by redirects. */
export interface CookieStore {
  /** The `Cookie` header for an address; null without cookies. */
  headerFor(url: string): string | null;
  /** Takes the `Set-Cookie` lines of an answer. */
  store(url: string, setCookies: readonly string[]): void;
}

export interface TextRequest {
  /** Built by us from a checked id or code; never what a visitor typed. */
  readonly url: string;
  readonly hosts: HostListName;
  /** Headers in sending order. An empty `cookie` marks the place of the jar's cookies. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly jar?: CookieStore | undefined;
  /** The best version to agree on; 1.1 when not given. */
  readonly http?: HttpVersion;
  /** Decoded bytes after which the answer is given up. */
  readonly maxBytes: number;
  /** Redirects followed (each hop checked against `hosts`); 0 hands the redirect itself to the caller. At most 3. */
  readonly maxRedirects: number;
  /** The egress that it must use; undefined when there is only one. */
  readonly egress?: string | undefined;
  readonly signal: AbortSignal;
}

export interface TextResponse {
  readonly status: number;
  /** The version by which it came. */
  readonly http: HttpVersion;
  /** Lower-case names; repeated headers joined by `, ` except `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  /** One `Set-Cookie` line each. */
  readonly setCookies: readonly string[];
  /** UTF-8 text, as bytes: pages are large, and most of one is never looked at. */
  readonly body: Buffer;
  /** The address that answered, after redirects. */
  readonly url: string;
}

export interface MediaRequest {
  readonly source: MediaSource;
  /** First requested byte. */
  readonly start: number;
  /** One past the last requested byte; null for the rest. */
  readonly end: number | null;
  /** Asks for the file without a range, from its first byte: for servers that refuse parts. */
  readonly whole?: boolean;
  /** Ignores the limit on connections: for a reader that does not wait for a client. */
  readonly isUnbounded?: boolean;
  readonly signal: AbortSignal;
}

/** The facts about a media response that are known before its bytes. */
export interface MediaFacts {
  /** Size of the whole file; null when the server did not say. */
  readonly size: number | null;
  /** Offset of the body's first byte: 0 when the server ignored the range. */
  readonly start: number;
  /** Bytes in the body; null when the server did not say. */
  readonly length: number | null;
  readonly contentType: string;
  /** Index in `source.urls` of the address that answered. */
  readonly mirror: number;
}

/**
 * A flow's connection was reclaimed for another download while its client had no room. This is not an error: the rest
 * can be requested again.
 */
export class ConnectionReclaimed extends Error {
  override readonly name = 'ConnectionReclaimed';
}

/** Bytes that are read chunk by chunk, at the caller's pace. */
export interface ByteReader {
  /**
   * The next chunk, which the caller then owns; one call at a time. Null at the end: every byte was given.
   * @throws the connection's error, {@link ConnectionReclaimed}, …
   */
  next(): Promise<Buffer | null>;
  /** Closes the connection at once; what is waited for fails. Safe to call at any time. */
  stop(): void;
}

/** An open media response. Reads nothing from the network before the first `next`, and little ahead. */
export interface MediaFlow extends MediaFacts, ByteReader {}

/**
 * The only access to the platform's network. Checks every connection by host name (each hop) and by address (at connect
 * time), honours the proxy settings, and limits time and size.
 */
export interface PlatformNetwork {
  /** @throws Failure `platform_timeout`, `platform_failed`, or the signal's reason */
  fetchText(request: TextRequest): Promise<TextResponse>;
  /**
   * Opens a media file: tries the addresses in order until one responds 200 or 206 with a body.
   * @throws Failure `media_unavailable`, `media_host_unknown` where all redirect elsewhere, `range_unsatisfiable` when
   *   the file ends before `start`, `platform_timeout`, or the signal's reason
   */
  openMedia(request: MediaRequest): Promise<MediaFlow>;
  close(): Promise<void>;
}

/** One finished request, for metrics. */
export interface NetworkEvent {
  readonly hosts: HostListName;
  /** `refused`: a useless response, such as 403. `aborted`: the caller left. */
  readonly outcome: 'ok' | 'refused' | 'timeout' | 'failed' | 'aborted';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Body bytes received, as on the wire. */
  readonly bytes: number;
  /** A host that is not on the list, and to which the request would have gone. */
  readonly refusedHost?: string | undefined;
}

/** The chunks of a reader as an iterable; leaving it closes the connection. @throws as the reader */
export async function* chunksOf(reader: ByteReader): AsyncGenerator<Buffer, void, void> {
  try {
    for (let chunk = await reader.next(); chunk !== null; chunk = await reader.next()) yield chunk;
  } finally {
    reader.stop();
  }
}
