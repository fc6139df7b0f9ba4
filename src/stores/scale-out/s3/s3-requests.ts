import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { ObjectStoreRefused, ObjectStoreUnavailable } from '../../contracts/object-store.ts';

/** A new connection takes milliseconds if the server is reachable. */
const connectMs = 1000;
/** Between two pieces of a body while we are willing to take one. */
const idleMs = 5000;
/** An answer that is not a file. */
const maxXmlBytes = 8 * 2 ** 20;
/** Statuses that may be others in a moment. */
const unavailable = new Set([408, 429, 500, 502, 503, 504]);

export interface S3Place {
  /** `https://s3.example`; the bucket becomes the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The bucket itself when left out. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The time for so many bytes on a slow line, in ms. */
export const writeMs = (bytes: number) => 10_000 + Math.ceil(bytes / 1000);

/** Opens connections to a bucket; requests are signed with AWS Signature Version 4. */
export function createS3Requests(place: S3Place) {
  const { region, accessKeyId, secretAccessKey } = place;
  const base = `${place.endpoint.replace(/\/$/, '')}/${place.bucket}`;
  const limits = { connect: { timeout: connectMs }, bodyTimeout: idleMs };
  const forCalls = new Agent({ ...limits, connections: 64 });
  // A file is sent at its reader's pace: concurrency is limited at the visitors' side, and nobody queues here.
  const forFiles = new Agent(limits);
  /** Signing keys, one for each day. */
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sign({ method, key, query, headers, body }: S3Request) {
    const url = new URL(key === undefined ? base : `${base}/${key}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const digest = createHash('sha256').update(body ?? '');
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, region, accessKeyId, secretAccessKey, service: 's3', cache: signingKeys },
      headers: { ...headers, 'x-amz-content-sha256': digest.digest('hex') },
    });
    return signer.sign();
  }

  async function send(dispatcher: Agent, what: S3Request, limitMs: number, signal?: AbortSignal) {
    const { url, headers } = await sign(what);
    let response: Dispatcher.ResponseData;
    try {
      response = await request(url, {
        method: what.method,
        headers: Object.fromEntries(headers),
        body: what.body ?? null,
        dispatcher,
        headersTimeout: limitMs,
        signal: signal ?? null,
      });
    } catch (error) {
      throw new ObjectStoreUnavailable((error as Error).message, { cause: error });
    }
    // A reader gets the error; a body that is destroyed unread has no listener.
    response.body.on('error', () => {});
    if (!unavailable.has(response.statusCode)) return response;
    response.body.destroy();
    throw new ObjectStoreUnavailable(`it answers ${response.statusCode}`);
  }

  return {
    /**
     * Sends a request; the caller must read or destroy the response's body.
     * @param limitMs until the head of the response, without connecting
     * @throws ObjectStoreUnavailable
     */
    send: (what: S3Request, limitMs: number) => send(forFiles, what, limitMs),

    /**
     * Sends a request with an XML or empty response.
     * @param limitMs for all of it
     * @throws ObjectStoreUnavailable; ObjectStoreRefused when it is no success, also for an error in a response with
     *   status 200
     */
    async text(what: S3Request, limitMs: number) {
      const { statusCode, headers, body } = await send(
        forCalls,
        what,
        limitMs,
        AbortSignal.timeout(limitMs + connectMs),
      );
      const xml = await readText(body);
      if (statusCode < 300 && !/<Error[\s>]/.test(xml)) return { xml, headers };
      throw new ObjectStoreRefused('S3', statusCode, textOf(xml, 'Code') ?? 'without a reason');
    },

    /** Cuts off what still runs. */
    async close() {
      await Promise.all([forCalls.destroy(), forFiles.destroy()]);
    },
  };
}

/** Signed requests to one bucket. */
export type S3Requests = ReturnType<typeof createS3Requests>;

/** @throws ObjectStoreUnavailable when it breaks off, comes too slowly, or is larger than any answer */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > maxXmlBytes) throw new Error('the answer is too large');
      parts.push(part);
    }
  } catch (error) {
    throw new ObjectStoreUnavailable((error as Error).message, { cause: error });
  }
  return Buffer.concat(parts).toString();
}

/*
 * The answers of S3 that are read here are flat: elements in a list, and texts in these. Nothing of them is shown or run.
 */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its references resolved (XML 1.0, 4.1 and 4.6); unknown ones stay. */
function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The text of the first element of this name; null when there is none. */
export function textOf(xml: string, element: string): string | null {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text === undefined ? null : unescaped(text);
}

/** The content of each element of this name, without nested elements of the same name. */
export function elementsOf(xml: string, element: string): string[] {
  const parts = xml.split(`<${element}>`).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf(`</${element}>`);
    return end === -1 ? [] : [part.slice(0, end)];
  });
}
