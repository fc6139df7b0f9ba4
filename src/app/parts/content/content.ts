import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { LegalValues } from '../../../content/legal/fill.ts';
import { cacheLists } from '../../../content/reading/cached-lists.ts';
import { createContent } from '../../../content/reading/read-content.ts';
import type { Locale } from '../../../i18n/languages.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import type { PageCache } from '../../../server/page-cache/page-cache.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Stores } from '../stores.ts';
import { withoutCategories, withRemoteLists } from './content-lists.ts';
import { assembleContentRenderer } from './content-renderer.ts';
import { assembleContentWork } from './content-work.ts';

interface ContentOptions {
  readonly configuration: SiteConfiguration;
  /** Public origin. */
  readonly origin: string;
  /** Base address of the server that the lists of articles and categories come from; null for the database. */
  readonly listsFrom: string | null;
  /** What legal documents say of the site. */
  readonly legalIn: (locale: Locale) => LegalValues;
  /** Folder of the site's own legal documents; null for none. */
  readonly ownLegal: string | null;
  readonly stores: Stores;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** The articles and documents of an instance. */
interface AssembledContent {
  readonly parts: Pick<ServerDependencies, 'content' | 'contentRenderer' | 'contentRevision' | 'views'>;
  /** Begins to drop pages whose content another process has changed. */
  watch(pageCache: PageCache): void;
  /** Ends the watching, and writes the last views. */
  close(): Promise<void>;
}

/** Opens the site's articles and documents, with the background work on them. */
export async function assembleContent({
  configuration,
  origin,
  listsFrom,
  legalIn,
  ownLegal,
  stores: { database, pictures, redis },
  metrics,
  logger,
}: ContentOptions): Promise<AssembledContent> {
  const own = withoutCategories(configuration, createContent(database.query, Date.now, pictures));
  const content = cacheLists(
    listsFrom === null
      ? own
      : withoutCategories(configuration, withRemoteLists(own, listsFrom, origin, metrics, logger)),
  );
  const work = await assembleContentWork(database, configuration, redis, logger);
  const contentRenderer = assembleContentRenderer(configuration, origin, content, logger, legalIn, ownLegal);
  return {
    parts: { content, contentRenderer, contentRevision: content.revision, views: work.views },
    watch: (pageCache) => work.watch(pageCache, content.clear),
    async close() {
      await Promise.all([work.close(), contentRenderer.close()]);
    },
  };
}
