import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Content } from '../../content/content.ts';
import { type ContentRenderer, createContentRenderer } from '../../content/content-renderer.ts';
import type { LegalValues } from '../../content/legal-documents.ts';
import { cacheLists } from '../../content/reading/cached-lists.ts';
import { createContent } from '../../content/reading/read-content.ts';
import { openChangeReader } from '../../content/writing/changes.ts';
import { createViewCounter } from '../../content/writing/views.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { isLocale, type Locale, languages } from '../../i18n/languages.ts';
import type { Environment } from '../../process/environment.ts';
import { startPoller } from '../../process/periodic.ts';
import { dropPages, type PageCache, touchedPages } from '../../server/page-cache/page-cache.ts';
import { localizedPath } from '../../site/addressing/localized-path.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { VisitorSettings } from '../../site/visitors/settings.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import { legalValues } from './legal-values.ts';
import type { Stores } from './stores.ts';

const legalFolder = join(import.meta.dirname, '../../../content/legal');

/**
 * The site's long texts, with its languages, addresses and rules for links.
 * @param legalIn what legal documents say of the site
 * @param ownLegal folder of the site's own legal documents; null for none
 */
function assembleContentRenderer(
  configuration: SiteConfiguration,
  origin: string,
  content: Content,
  logger: Logger,
  legalIn: (locale: Locale) => LegalValues,
  ownLegal: string | null,
): ContentRenderer {
  const { partner_domains, default_locale } = configuration;
  const known = (locale: string): Locale => (isLocale(locale) ? locale : default_locale);
  return createContentRenderer({
    folders: ownLegal === null ? [legalFolder] : [ownLegal, legalFolder],
    valuesFor: (locale) => legalIn(known(locale)),
    rulesFor(locale) {
      const t = translateTo(known(locale), 'posts');
      const labels = { notes: t('article.notes'), backToText: t('article.back-to-text') };
      return { locale, origin, partnerDomains: partner_domains, labels };
    },
    onBare: (error) => logger.warn({ err: error }, 'a text is shown without markup'),
    async findOwn(path, locale) {
      const own = known(locale);
      const found = await localizedPath(path, own, configuration, content);
      if (found.locale === null || found.locale === own) return { href: found.path };
      const { lang, name } = languages[found.locale];
      // Languages phrase "in English" differently; for other languages their name is enough.
      const note = found.locale === 'en' ? translateTo(own, 'posts')('article.in-english') : `(${name})`;
      return { href: found.path, otherLanguage: { lang, note } };
    },
  });
}

/**
 * Background work on articles: counts views and listens for changes.
 * @param redis announces changes at once; without it the database is polled every second
 */
export async function assembleContentWork(
  { query }: Database,
  configuration: SiteConfiguration,
  redis: SharedRedis | null,
  logger: Logger,
) {
  // Monotonic, even if the clock is set meanwhile.
  const views = createViewCounter(query, () => performance.timeOrigin + performance.now());
  const changes = await openChangeReader(query, Date.now);
  const ends = [
    startPoller(views.flush, (error) => logger.error({ err: error }, 'views could not be written')),
  ];
  return {
    views,
    /**
     * Drops pages whose content another process has changed.
     * @param beforeDrop drops other caches first, so that no page is made from them again
     */
    watch(pageCache: PageCache, beforeDrop: () => void) {
      const look = async () => {
        const found = await changes.next();
        if (found.length === 0) return;
        beforeDrop();
        const dropped = await dropPages(pageCache, touchedPages(found, configuration));
        logger.info({ changes: found.length, dropped }, 'articles have changed');
      };
      ends.push(
        startPoller(
          look,
          (error) => logger.error({ err: error }, 'changes could not be read'),
          (lookNow) => redis?.onChange('content', lookNow),
        ),
      );
    },
    /** Ends the watching and writes the last views. */
    async close() {
      for (const end of ends) await end();
    },
  };
}

interface ContentOptions {
  readonly environment: Pick<Environment, 'HONOUR_DOWNLOAD_SETTING'>;
  readonly configuration: SiteConfiguration;
  /** Public origin. */
  readonly origin: string;
  /** Makes what pages show of the database's content. */
  readonly shown: (own: Content) => Content;
  readonly visitorSettings: (locale: Locale) => VisitorSettings | null;
  /** What features say of themselves in legal documents. */
  readonly legalOfFeatures: Partial<LegalValues>;
  /** Folder of the site's own legal documents; null for none. */
  readonly ownLegal: string | null;
  readonly stores: Stores;
  readonly logger: Logger;
}

/** Opens the site's articles and documents, with the background work on them. */
export async function assembleContent({
  environment,
  configuration,
  origin,
  shown,
  visitorSettings,
  legalOfFeatures,
  ownLegal,
  stores: { database, pictures, redis },
  logger,
}: ContentOptions) {
  const own = shown(createContent(database.query, Date.now, pictures));
  const hasCategories = configuration.default_options.has_category;
  const content = cacheLists(hasCategories ? own : { ...own, categories: async () => [] });
  const work = await assembleContentWork(database, configuration, redis, logger);
  const legalIn = (locale: Locale) =>
    legalValues(configuration, environment, locale, visitorSettings(locale), legalOfFeatures);
  const contentRenderer = assembleContentRenderer(configuration, origin, content, logger, legalIn, ownLegal);
  return {
    parts: { content, contentRenderer, contentRevision: content.revision, views: work.views },
    /** Begins to drop pages whose content another process has changed. */
    watch: (pageCache: PageCache) => work.watch(pageCache, content.clear),
    /** Ends the watching, and writes the last views. */
    async close() {
      await Promise.all([work.close(), contentRenderer.close()]);
    },
  };
}
