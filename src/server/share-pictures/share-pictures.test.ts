import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Article, Content } from '../../content/content.ts';
import type { Drawing } from '../../images/drawing/drawing.ts';
import type { Picture } from '../../stores/contracts/article-table.ts';
import type { ServerParts } from '../parts.ts';
import { siteFor } from '../pipeline/testing/exchange.ts';
import { sharePictures } from './share-pictures.ts';

const cover = (id: string): Picture => ({
  id,
  file: 'cover.jpg',
  width: 640,
  height: 360,
  widths: [640],
  alt: '',
});

test('a new cover of the same size as the old one is drawn, the same one is not drawn again', async () => {
  let present = cover('first');
  let drawn = 0;
  const content: Partial<Content> = {
    article: async () => ({ title: 'A title', cover: present }) as Article,
    pictureFile: async (id) => Buffer.from(id),
  };
  const drawer = {
    async draw({ inset }: Drawing) {
      drawn += 1;
      return Buffer.from(inset?.bytes ?? []);
    },
  };
  const app = fastify();
  const limits = { lists: async () => {} } as Partial<ServerParts['limits']> as ServerParts['limits'];
  sharePictures(app, { configuration: siteFor(), content: content as Content, drawer, limits });
  const shown = async () => (await app.inject('/share/en/an-article.png')).body;
  expect([await shown(), await shown(), drawn]).toEqual(['first', 'first', 1]);
  present = cover('other');
  expect([await shown(), await shown(), drawn]).toEqual(['other', 'other', 2]);
  await app.close();
});
