import fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import type { Article, Content } from '../../content/content.ts';
import { Failure } from '../../failures/failures.ts';
import type { Drawing } from '../../images/drawing/draw.ts';
import type { Drawer } from '../../images/drawing/drawer.ts';
import { decorateRequests } from '../../server/http/requests.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { siteFor } from '../../server/pipeline/testing/route-context.ts';
import { StorageFull } from '../../stores/contracts/file-store.ts';
import type { Picture } from '../../stores/contracts/tables/article-table.ts';
import { createMemoryFileStore } from '../../stores/contracts/testing/memory-file-store.ts';
import { sharePictures } from './server.ts';

const cover = (id: string): Picture => ({
  id,
  file: 'cover.jpg',
  width: 640,
  height: 360,
  widths: [640],
  alt: '',
});

type Draw = Drawer['draw'];

/** The endpoint with articles of any name; `draw` draws their pictures. */
function endpoint(draw: Draw, files = createMemoryFileStore(), present = () => cover('first')) {
  const content: Partial<Content> = {
    article: async (_, title) => ({ title, cover: present() }) as Article,
    pictureFile: async (id) => Buffer.from(id),
  };
  const app = fastify();
  decorateRequests(app, {
    origin: 'http://site.example',
    hashVisitor: (address) => ({ key: address, block: address }),
  });
  const limits = { lists: async () => {} };
  const warn = vi.fn();
  sharePictures(app, {
    ...{ configuration: siteFor(), content: content as Content, drawer: { draw }, limits },
    ...{
      logger: { warn } as Partial<ServerDependencies['logger']> as ServerDependencies['logger'],
      files,
    },
    site: { version: '1' },
  });
  return {
    app,
    warn,
    requestPicture: (article: string, remoteAddress = '192.0.2.1') =>
      app
        .inject({ url: `/share/en/${article}.png`, remoteAddress })
        .then(({ statusCode, body }) => [statusCode, body]),
  };
}

/** Draws on command, in the order of the requests. */
function slowDrawer() {
  const waiting: (() => void)[] = [];
  const drawn: string[] = [];
  const draw: Draw = async ({ texts }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
    const title = texts[1]?.text ?? '';
    drawn.push(title);
    return Buffer.from(title);
  };
  return {
    draw,
    drawn,
    async drawAll() {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = waiting.shift();
        if (next === undefined) return;
        next();
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('draws a new cover of the same size as the old one, and the same cover only once, also after a restart', async () => {
  let present = cover('first');
  const draw = vi.fn(async ({ inset }: Drawing) => Buffer.from(inset?.bytes ?? []));
  const files = createMemoryFileStore();
  const one = endpoint(draw, files, () => present);
  expect([await one.requestPicture('a'), await one.requestPicture('a'), draw.mock.calls.length]).toEqual([
    [200, 'first'],
    [200, 'first'],
    1,
  ]);
  present = cover('other');
  expect([await one.requestPicture('a'), await one.requestPicture('a'), draw.mock.calls.length]).toEqual([
    [200, 'other'],
    [200, 'other'],
    2,
  ]);
  await one.app.close();
  const again = endpoint(draw, files, () => present);
  expect([await again.requestPicture('a'), draw.mock.calls.length]).toEqual([[200, 'other'], 2]);
  await again.app.close();
});

test('draws a picture that failed once on the next request', async () => {
  const draw = vi.fn<Draw>(async () => Buffer.from('drawn'));
  draw.mockRejectedValueOnce(new Error('no font')).mockResolvedValueOnce(null);
  const { requestPicture, app } = endpoint(draw);
  expect((await requestPicture('a'))[0]).toBe(500);
  expect((await requestPicture('a'))[1]).toContain(new Failure('overloaded').key);
  expect(await requestPicture('a')).toEqual([200, 'drawn']);
  await app.close();
});

test('sends a picture also when there is no room to store it', async () => {
  const files = { ...createMemoryFileStore(), create: () => Promise.reject(new StorageFull('no room')) };
  const { requestPicture, warn, app } = endpoint(async () => Buffer.from('drawn'), files);
  expect([await requestPicture('a'), await requestPicture('a')]).toEqual([
    [200, 'drawn'],
    [200, 'drawn'],
  ]);
  expect(warn).toHaveBeenCalledTimes(2);
  await app.close();
});

test('a visitor who requests hundreds has two waiting, and another visitor’s is next', async () => {
  const { draw, drawn, drawAll } = slowDrawer();
  const { requestPicture, app } = endpoint(draw);
  const many = Array.from({ length: 100 }, (_, n) => requestPicture(`many-${n}`));
  const settled = Promise.all(many);
  await vi.waitFor(async () => expect((await Promise.race([...many.slice(3)]))[0]).toBe(500), 15_000);
  const others = requestPicture('others', '192.0.2.2');
  // A picture requested twice is drawn once.
  const same = requestPicture('many-2', '192.0.2.2');
  await new Promise((resolve) => setImmediate(resolve));
  await drawAll();
  expect((await others)[1]).toBe('others');
  expect((await same)[1]).toBe('many-2');
  const answers = await settled;
  expect(answers.filter(([status]) => status === 200)).toHaveLength(3);
  expect(drawn).toHaveLength(4);
  expect(drawn.indexOf('others')).toBeLessThanOrEqual(2);
  await app.close();
});
