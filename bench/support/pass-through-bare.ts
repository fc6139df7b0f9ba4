/** The baseline as a program: every request is answered with one file of the platform, by a bare pipe from undici. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, request } from 'undici';

export interface BareTask {
  /** A page of the platform; its first video address is the file. */
  readonly page: string;
  readonly httpsProxy: string;
  readonly caFile: string;
}

export interface BareReady {
  readonly port: number;
}

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

process.once('message', async ({ page, httpsProxy, caFile }: BareTask) => {
  const dispatcher = new EnvHttpProxyAgent({
    httpsProxy,
    requestTls: { ca: readFileSync(caFile, 'utf8') },
    allowH2: false,
  });
  const shown = await request(page, { dispatcher, headers: { 'user-agent': userAgent } });
  const text = await shown.body.text();
  const address = /"playAddr":("[^"]+")/.exec(text)?.[1];
  if (address === undefined) throw new Error('no video in the page');
  const file = JSON.parse(address) as string;
  const cookies = [shown.headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0]);
  const headers = {
    'user-agent': userAgent,
    cookie: cookies.join('; '),
    referer: 'https://www.tiktok.com/',
  };
  const server = createServer(async (_, response) => {
    const answer = await request(file, { dispatcher, headers });
    response.writeHead(answer.statusCode, { 'content-length': String(answer.headers['content-length']) });
    await pipeline(answer.body, response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies BareReady);
  });
});
