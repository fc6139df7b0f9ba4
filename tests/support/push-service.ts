import { createDecipheriv, createECDH, createHmac, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeCertificate } from '../../src/downloader/network/testing/certificate.ts';

/** A message as the push service received it. */
interface Delivered {
  /** The last part of the endpoint. */
  readonly device: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A push service of browsers, behind a proxy like every simulated service. */
export interface PushService {
  /** The environment of the product and its commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly delivered: Delivered[];
  /** Its response for a device; 201 by default. */
  readonly answers: Map<string, { readonly status: number; readonly retryAfterS?: number }>;
  /** Responses wait for this. */
  hold: Promise<void> | null;
  /** Called with each message before it is answered. */
  onDelivered: (() => void) | null;
  endpoint(device: string): string;
  stop(): Promise<void>;
}

const host = 'fcm.googleapis.com';

export async function startPushService(): Promise<PushService> {
  const { cert, key } = await makeCertificate([host]);
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-push-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, cert);
  const tls = createTlsServer({ cert, key }, async (request, response) => {
    const body = await buffer(request);
    const device = request.url?.split('/').at(-1) ?? '';
    service.delivered.push({
      device,
      headers: request.headers,
      body,
    });
    service.onDelivered?.();
    await service.hold;
    const { status, retryAfterS } = service.answers.get(device) ?? { status: 201 };
    if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS));
    response.writeHead(status).end();
  });
  const sockets = new Set<{ destroy(): void }>();
  const proxy = createServer().on('connect', (_, socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    tls.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const service: PushService = {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NODE_EXTRA_CA_CERTS: caFile,
    },
    delivered: [],
    answers: new Map(),
    hold: null,
    onDelivered: null,
    endpoint: (device) => `https://${host}/fcm/send/${device}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return service;
}

/** A device like those that browsers create, which can read its messages. */
export interface PushDevice {
  readonly pdhkey: string;
  readonly auth: string;
  /** Decrypts a message (RFC 8188 and 8291). */
  read(body: Buffer): string;
}

export function makeDevice(): PushDevice {
  const keys: ECDH = createECDH('prime256v1');
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    pdhkey: publicKey.toString('base64url'),
    auth: auth.toString('base64url'),
    read(body) {
      const salt = body.subarray(0, 16);
      const keyLength = body[20] ?? 0;
      const sender = body.subarray(21, 21 + keyLength);
      const record = body.subarray(21 + keyLength);
      const secret = createHmac('sha256', auth).update(keys.computeSecret(sender)).digest();
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const key = createHmac('sha256', secret)
        .update(Buffer.concat([info, Buffer.of(1)]))
        .digest();
      const derive = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(record.subarray(-16));
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      // The text ends before the delimiter of the last record.
      return padded.subarray(0, padded.lastIndexOf(2)).toString();
    },
  };
}
