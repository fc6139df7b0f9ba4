import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { FairQueue } from '../../downloader/conversions/fair-queue.ts';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { isLocale, type Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { createDrawer, type Drawer } from '../../images/drawing/drawer.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { findModule, siteHas } from '../../site/addressing/site-pages.ts';
import type { FileStore, StoredFile } from '../../stores/contracts/file-store.ts';
import { openFolderFileStore } from '../../stores/embedded/folder-file-store.ts';
import { type ShareFacts, shareDrawing } from './drawing.ts';

async function readWhole(file: StoredFile): Promise<Buffer> {
  const bytes = Buffer.alloc(file.length);
  for (let position = 0; position < bytes.length; ) {
    const read = await file.read(bytes.subarray(position), position);
    if (read === 0) throw new Error('a kept picture is shorter than it was');
    position += read;
  }
  return bytes;
}

/** Pictures that have been drawn, in a bounded place that outlives a restart. */
function keepPictures(files: Pick<FileStore, 'open' | 'create'>) {
  const keyOf = (name: string) => `share-${hash('sha256', name, 'hex')}`;
  return {
    /** Null when it does not exist. */
    async read(name: string): Promise<Buffer | null> {
      const file = await files.open(keyOf(name));
      if (file === null) return null;
      return readWhole(file).finally(() => file.close());
    },

    /** @throws StorageFull */
    async keep(name: string, picture: Buffer): Promise<void> {
      const facts = { length: picture.length, etag: `"${hash('sha256', picture, 'hex')}"` };
      const draft = await files.create(keyOf(name), facts);
      try {
        await draft.write(picture);
        await draft.publish();
      } finally {
        await draft.close();
      }
    },
  };
}

interface Parts extends Pick<ServerDependencies, 'configuration' | 'content' | 'logger'> {
  readonly site: Pick<ServerDependencies['site'], 'version'>;
  readonly limits: Pick<ServerDependencies['limits'], 'lists'>;
  readonly drawer: Pick<Drawer, 'draw'>;
  /** Stores the pictures. */
  readonly files: Pick<FileStore, 'open' | 'create'>;
}

/** Each takes a tenth of a second. One visitor's wait behind those of others, and are two at most. */
const mostWaiting = { all: 30, ofVisitor: 2 };
const retryAfterS = 5;

const pathPattern = /^([a-z]{2})(?:\/([a-z0-9]+(?:-[a-z0-9]+)*))?\.png$/;

/** A picture's texts, and the name of its cover, which identifies it. */
interface PictureFacts extends ShareFacts {
  readonly coverId: string | null;
}

/** The texts of a page's picture; null for a page without its own. */
async function factsOf(parts: Parts, locale: Locale, page: string): Promise<PictureFacts | null> {
  const { configuration, content } = parts;
  const { brand } = configuration;
  const module = findModule(configuration, page);
  if (module !== undefined) {
    if (!siteHas(configuration, page, locale)) return null;
    const t = createTranslate<'home'>(locale, loadMessages(locale, module.lang_file));
    const isSound = module.download_info.download_btns.every(
      (button) => button === 'mp3' || button === 'm4a',
    );
    return { locale, name: brand, title: t('hero.title'), cover: null, coverId: null, isSound };
  }
  const article = await content.article(locale, page);
  if (article === null) return null;
  const { cover, title } = article;
  const format = cover?.widths.length === 0 ? 'svg' : 'jpg';
  const width = cover?.widths.find((one) => one >= 640) ?? cover?.width ?? 0;
  const bytes = cover === null ? null : await content.pictureFile(cover.id, width, format);
  const coverId = bytes === null ? null : (cover?.id ?? null);
  return { locale, name: brand, title, cover: bytes, coverId, isSound: false };
}

/** A picture that is being drawn, or waits in the queue. */
interface Job {
  readonly name: string;
  readonly facts: PictureFacts;
  readonly drawn: PromiseWithResolvers<Buffer>;
  hasTurn: boolean;
}

/** Draws each picture once, and stores it. */
function createPictures({ drawer, logger, site, files }: Parts) {
  const kept = keepPictures(files);
  const underWay = new Map<string, Job>();
  const queue = new FairQueue<Job>({
    parallel: 1,
    maxWaiting: mostWaiting.all,
    maxWaitingOfVisitor: mostWaiting.ofVisitor,
    start(job, done) {
      job.hasTurn = true;
      void draw(job).then(job.drawn.resolve, job.drawn.reject).finally(done);
    },
    changed() {},
  });

  async function draw({ name, facts }: Job): Promise<Buffer> {
    try {
      const picture = await drawer.draw(shareDrawing(facts));
      if (picture === null) throw new Failure('overloaded', { retryAfterS });
      await kept.keep(name, picture).catch((error: unknown) => {
        logger.warn({ err: error }, 'a share picture could not be stored and will be drawn again');
      });
      return picture;
    } finally {
      underWay.delete(name);
    }
  }

  return async (facts: PictureFacts, visitor: string): Promise<Buffer> => {
    const { locale, name: siteName, title, isSound, coverId } = facts;
    const name = [site.version, locale, siteName, title, isSound, coverId].join('\n');
    const known = await kept.read(name);
    if (known !== null) return known;
    const before = underWay.get(name);
    const job = before ?? { name, facts, drawn: Promise.withResolvers<Buffer>(), hasTurn: false };
    underWay.set(name, job);
    // A queued picture may advance by this visitor's place.
    if (!job.hasTurn && !queue.add(job, visitor)) {
      if (before === undefined) underWay.delete(name);
      throw new Failure('overloaded', { retryAfterS });
    }
    return job.drawn.promise;
  };
}

/** `GET /share/{language}.png` and `/share/{language}/{page}.png`: what others show where a page is shared. */
export function sharePictures(app: FastifyInstance, parts: Parts): void {
  const pictureOf = createPictures(parts);

  app.get<{ Params: { '*': string } }>('/share/*', async (request, reply) => {
    const [, language = '', page = ''] = pathPattern.exec(request.params['*']) ?? [];
    const isOurs = isLocale(language) && parts.configuration.locales.includes(language);
    if (isOurs) await parts.limits.lists(request.visitor);
    const facts = isOurs ? await factsOf(parts, language, page) : null;
    if (facts === null) throw new Failure('picture_missing');
    const picture = await pictureOf(facts, request.visitor.key);
    return reply.type('image/png').header('cache-control', 'public, max-age=604800').send(picture);
  });
}

/** Some two thousand. */
const maxBytes = 64 * 2 ** 20;
const lifetimeMs = 30 * 86_400_000;
const sweepEveryMs = 3_600_000;

/** Draws the pictures of shared links, and stores them. */
export default async function openSharing({ environment, logger }: Core): Promise<FeatureServer> {
  // What it forgets it draws again.
  const files = await openFolderFileStore({
    folder: join(environment.DATA_DIR, 'share-pictures'),
    ...{ maxBytes, lifetimeMs, sweepEveryMs, now: Date.now },
    onError: (error) => logger.error({ err: error }, 'a share picture could not be deleted'),
  });
  const drawer = createDrawer();
  return {
    routes: (app, parts) => sharePictures(app, { ...parts, drawer, files }),
    async close() {
      drawer.close();
      await files.close();
    },
  };
}
