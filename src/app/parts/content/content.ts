import type { Logger } from 'pino';
import type { Content } from '../../../content/content.ts';
import type { LegalValues } from '../../../content/legal/fill.ts';
import { cacheLists } from '../../../content/reading/cached-lists.ts';
import { createContent } from '../../../content/reading/read-content.ts';
import type { Locale } from '../../../i18n/languages.ts';
import type { PageCache } from '../../../server/page-cache/page-cache.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Stores } from '../stores.ts';
import { assembleContentRenderer } from './content-renderer.ts';
import { assembleContentWork } from './content-work.ts';

interface ContentOptions {
  readonly configuration: SiteConfiguration;
  /** Public origin. */
  readonly origin: string;
  /** Makes what pages show of the database's content. */
  readonly shown: (own: Content) => Content;
  /** What legal documents say of the site. */
  readonly legalIn: (locale: Locale) => LegalValues;
  /** Folder of the site's own legal documents; null for none. */
  readonly ownLegal: string | null;
  readonly stores: Stores;
  readonly logger: Logger;
}

/** Opens the site's articles and documents, with the background work on them. */
export async function assembleContent({
  configuration,
  origin,
  shown,
  legalIn,
  ownLegal,
  stores: { database, pictures, redis },
  logger,
}: ContentOptions) {
  const own = shown(createContent(database.query, Date.now, pictures));
  const hasCategories = configuration.default_options.has_category;
  const content = cacheLists(hasCategories ? own : { ...own, categories: async () => [] });
  const work = await assembleContentWork(database, configuration, redis, logger);
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
