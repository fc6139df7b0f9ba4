import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as ask, createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../src/downloader/network/testing/certificate.ts';
import { longBodyBytes } from '../src/server/http/bodies.ts';
import { freePort } from '../src/stores/contracts/testing/services/free-port.ts';
import { hasBalancer, withSystemPrograms } from '../tests/support/balancer.ts';
import { endWithTests } from '../tests/support/processes.ts';
import { rawRequest } from '../tests/support/raw-request.ts';
import { until } from '../tests/support/until.ts';

const ownHost = { host: 'clipferry.example' };

const shipped = readFileSync(join(import.meta.dirname, '../deploy/nginx/clipferry.conf'), 'utf8');

/** The paths of all locations in the shipped file. */
const locations = [...shipped.matchAll(/^ *location (?:= )?(\/\S*)/gm)].map(([, path = '']) => path);
/** Those that nginx would answer itself without their last slash. */
const folders = locations.filter((path) => path !== '/' && path.endsWith('/'));
const [upload = ''] = Object.keys(longBodyBytes);

/** The configuration that Debian's nginx puts around a file of conf.d, with all output in a folder of the test. */
const around = (folder: string, file: string) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n  ')}
  include ${file};
}
`;

describe.skipIf(!hasBalancer)('the configuration of nginx', () => {
  let folder: string;
  /** The shipped file; the paths of this machine's folders point into a folder of the test. */
  let file: string;
  let main: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clipferry-nginx-'));
    // Started by root, nginx workers run under another account.
    chmodSync(folder, 0o755);
    file = join(folder, 'clipferry.conf');
    main = join(folder, 'nginx.conf');
    // As on a machine with a freshly installed nginx.
    mkdirSync(join(folder, 'var/cache'), { recursive: true });
    const certificates = join(folder, 'etc/letsencrypt/live/clipferry.example');
    mkdirSync(certificates, { recursive: true });
    const { cert, key } = await makeCertificate(['clipferry.example']);
    writeFileSync(join(certificates, 'fullchain.pem'), cert);
    writeFileSync(join(certificates, 'privkey.pem'), key);
    writeFileSync(main, around(folder, file));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inFolder = (text: string) => text.replace(/(\s)(\/(?:etc|var)\/)/g, `$1${folder}$2`);

  test('is valid for nginx on a new machine', () => {
    writeFileSync(file, inFolder(shipped));
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', main], {
      env: withSystemPrograms,
      encoding: 'utf8',
    });
    expect(stderr).toContain('test is successful');
    expect(status).toBe(0);
  });

  describe('in front of a site', () => {
    let site: Server;
    let origin: string;
    let stop: () => Promise<void>;
    /** Pending requests of the site, by path. */
    const inHand: { url: string; response: ServerResponse }[] = [];
    /** Announces a body of this many bytes, and sends only the first one. */
    const announce = (path: string, bytes: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...ownHost, 'content-length': bytes };
        const asked = ask(origin + path, { method: 'POST', headers, agent: false }, (answer) => {
          resolve(answer.statusCode);
          asked.destroy();
        });
        asked.on('error', reject);
        asked.write('x');
      });

    beforeAll(async () => {
      site = createServer(({ url = '' }, response) => void inHand.push({ url, response }));
      site.listen(0, '127.0.0.1');
      await once(site, 'listening');
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const plain = await freePort();
      const adapted = inFolder(shipped)
        .replace(/^ *listen .*:.*$/gm, '')
        .replace(/listen 443 ssl http2/g, `listen 127.0.0.1:${port}`)
        .replace(/listen 80\b/g, `listen 127.0.0.1:${plain}`)
        // Two instances: nginx never gives up a single one.
        .replace(/^ *server 127\.0\.0\.1:3000.*$/m, '$&\n$&')
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${(site.address() as AddressInfo).port}`);
      writeFileSync(file, adapted);
      const nginx = spawn('nginx', ['-c', main], {
        env: withSystemPrograms,
        stdio: 'ignore',
        detached: true,
      });
      endWithTests(nginx);
      const ended = once(nginx, 'exit');
      await until('nginx answers', () =>
        rawRequest(origin, '/metrics', { headers: ownHost }).then(
          ({ status }) => status === 404,
          () => false,
        ),
      );
      stop = async () => {
        nginx.kill('SIGTERM');
        await ended;
        site.closeAllConnections();
        site.close();
      };
    });
    afterAll(() => stop?.());

    const request = (path: string) => rawRequest(origin, path, { headers: ownHost });
    /** Two visitors send the same request before either has a response. */
    async function askTwice(path: string): Promise<number> {
      inHand.length = 0;
      const asked = [request(path), request(path)];
      await until('one is asked for', () => inHand.length > 0);
      // A later request has arrived by then; otherwise the other one waits.
      for (let n = 0; n < 10; n += 1) {
        const later = request(`/api?n=${n}`);
        await until('a later one is asked for', () => inHand.some(({ url }) => url === `/api?n=${n}`));
        inHand.find(({ url }) => url === `/api?n=${n}`)?.response.end();
        await later;
      }
      const both = inHand.filter(({ url }) => url === path);
      const control = path === '/posts' ? 'public, max-age=0, s-maxage=600' : 'private, no-cache';
      for (const { response } of both)
        response.writeHead(200, { 'cache-control': control, vary: 'Accept-Encoding' }).end('x');
      await Promise.all(asked);
      return both.length;
    }

    test.each(['/', '/?url=x', '/posts?page=2'])('nobody waits for somebody else’s %s', async (path) => {
      expect(await askTwice(path)).toBe(2);
    });

    test('requests a cacheable page once', async () => {
      expect(await askTwice('/posts')).toBe(1);
    });

    test.each(['evil.example', 'test.clipferry.example', 'localhost:3000', '127.0.0.1'])(
      'a request for %s gets no answer',
      async (host) => {
        inHand.length = 0;
        for (const path of ['/', '/api', '/api/resolve', '/metrics'])
          await expect(rawRequest(origin, path, { headers: { host } })).rejects.toThrow('socket hang up');
        expect(inHand).toEqual([]);
      },
    );

    test.each(folders.map((path) => path.slice(0, -1)))(
      '%s belongs to the site, and redirects nowhere',
      async (path) => {
        inHand.length = 0;
        const asked = request(path);
        await until('it is asked for', () => inHand.length > 0);
        inHand[0]?.response.end('page');
        expect(await asked).toMatchObject({ status: 200 });
        expect(inHand[0]?.url).toBe(path);
      },
    );

    test.each(folders.filter((path) => upload.startsWith(path)).concat(upload))(
      'the site refuses a stranger at %s before the body has arrived',
      async (path) => {
        inHand.length = 0;
        const refused = announce(path, 500 * 1024);
        await until('the site is asked', () => inHand.length > 0);
        inHand[0]?.response.writeHead(303, { location: '/operator/log-in' }).end();
        expect(await refused).toBe(303);
      },
    );

    test.each([...new Set(locations)].filter((path) => path !== upload))(
      'a body above 512 kB is refused at %s, and the site is not asked',
      async (path) => {
        inHand.length = 0;
        expect(await announce(path, 513 * 1024)).toBe(413);
        expect(inHand).toEqual([]);
      },
    );

    test('a shared file that is too large is refused by the page that asks for it again', async () => {
      inHand.length = 0;
      expect(await announce('/de/many-posts', 513 * 1024)).toBe(303);
      expect(inHand).toEqual([]);
    });

    test.each(['/a%0d%0aset-cookie:%20a=b/many-posts', '/%0aevil.example/many-posts', '/many-posts%0a'])(
      'an address of a body that is too large becomes no header of its own: %s',
      async (path) => {
        expect(await announce(path, 513 * 1024)).toBe(413);
      },
    );

    test('connections that break over one visitor’s requests close the site to nobody', async () => {
      for (let n = 0; n < 4; n += 1) {
        inHand.length = 0;
        const broken = announce('/operator/log-in', 500 * 1024);
        await until('the site is asked', () => inHand.length > 0);
        inHand[0]?.response.destroy();
        expect(await broken).toBe(502);
      }
      inHand.length = 0;
      const asked = request('/api');
      await until('the site is asked', () => inHand.length > 0);
      inHand[0]?.response.end('page');
      expect(await asked).toMatchObject({ status: 200 });
    });

    test('a zip of articles may have 50 MB, and not much more', async () => {
      inHand.length = 0;
      const taken = announce(upload, 50.5 * 2 ** 20);
      await until('the site is asked', () => inHand.length > 0);
      inHand[0]?.response.end();
      expect(await taken).toBe(200);
      expect(await announce(upload, 52 * 2 ** 20)).toBe(413);
      expect(inHand).toHaveLength(1);
    });
  });
});
