import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answer, Refusal } from './answers.ts';
import { Bucket } from './bucket.ts';
import { type Credentials, wrongSignature } from './signature.ts';
import { escaped, sendXml } from './xml.ts';

export interface S3DoubleOptions {
  /** The server's clock, which gives objects their age: ms since the epoch. */
  readonly now?: () => number;
  /** Entries of one page of a list. */
  readonly pageSize?: number;
}

/** A store that speaks the S3 protocol (path style) on the loopback interface, with one bucket in memory. */
export interface S3Double {
  /** Variables that make a product use it. */
  readonly environment: {
    readonly S3_ENDPOINT: string;
    readonly S3_BUCKET: string;
    readonly S3_REGION: string;
    readonly S3_ACCESS_KEY_ID: string;
    readonly S3_SECRET_ACCESS_KEY: string;
  };
  readonly port: number;
  readonly bucket: Bucket;
  /** The number of successful requests of each kind: `GET object`, `PUT part` … */
  readonly counts: Readonly<Record<string, number>>;
  /** Requests that were refused, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Answers everything with this status, `SlowDown` and the like; null answers normally. */
  failing: number | null;
  close(): Promise<void>;
}

const statuses: Readonly<Record<string, number>> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  PreconditionFailed: 412,
  InvalidRange: 416,
  NotImplemented: 501,
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
};

/** Starts a store. */
export async function startS3Double({
  now = Date.now,
  pageSize = 1000,
}: S3DoubleOptions = {}): Promise<S3Double> {
  const credentials: Credentials = {
    accessKeyId: 'CLIPFERRYTEST',
    secretAccessKey: 'a secret of nobody/with+signs=',
    region: 'test-1',
  };
  const name = 'clipferry';
  const bucket = new Bucket(now);
  const counts: Record<string, number> = {};
  const refused: Record<string, number> = {};
  const server = createServer((request, response) => void handle(request, response));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(request);
      response.setHeader('date', new Date(now()).toUTCString());
      if (double.failing !== null) {
        response.writeHead(double.failing).end();
        return;
      }
      const wrong = wrongSignature(request, body, credentials);
      if (wrong !== null) throw new Refusal(wrong);
      const url = new URL(request.url ?? '/', 'http://s3.test');
      const [, bucketName, ...rest] = url.pathname.split('/').map(decodeURIComponent);
      if (bucketName !== name) throw new Refusal('NoSuchBucket');
      const key = rest.join('/');
      const what = answer({ bucket, pageSize, request, response, key, query: url.searchParams, body });
      counts[what] = (counts[what] ?? 0) + 1;
    } catch (error) {
      if (!(error instanceof Refusal)) {
        // Some tests are about clients that leave in the middle of a request.
        response.destroy();
        return;
      }
      refused[error.code] = (refused[error.code] ?? 0) + 1;
      sendXml(response, statuses[error.code] ?? 400, 'Error', [['Code', escaped(error.code)]]);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const double: S3Double = {
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: name,
      S3_REGION: credentials.region,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    port,
    bucket,
    counts,
    refused,
    failing: null,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return double;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
