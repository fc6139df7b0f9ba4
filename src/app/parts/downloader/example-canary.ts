import type { Logger } from 'pino';
import type { PostResolver } from '../../../downloader/posts/resolver.ts';
import { asFailure } from '../../../failures/failures.ts';
import { Examples } from '../../../server/instance/examples.ts';
import { dropPages, type PageCache } from '../../../server/page-cache/page-cache.ts';
import { listModules } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';

const everyMs = 3_600_000;

interface ExampleCanaryParts {
  readonly configuration: SiteConfiguration;
  readonly resolver: Pick<PostResolver, 'resolveText'>;
  readonly pageCache: PageCache;
  readonly logger: Logger;
}

/**
 * Looks up the examples of the downloader pages every hour, without a visitor. When one has died or come back, cached
 * pages are dropped.
 * @param isOn whether to look them up; otherwise only visitors' look-ups tell
 */
export function startExampleCanary(
  { configuration, resolver, pageCache, logger }: ExampleCanaryParts,
  isOn: boolean,
): { readonly examples: Examples; close(): void } {
  const urls = listModules(configuration).map(({ download_info }) => download_info.example_url);
  const examples = new Examples(urls, () => {
    logger.info('the example of a page has died or come back');
    dropPages(pageCache, () => true).catch((error: unknown) =>
      logger.error({ err: error }, 'pages could not be dropped'),
    );
  });
  const ending = new AbortController();
  async function look(): Promise<void> {
    for (const url of examples.urls)
      try {
        await resolver.resolveText(url, ending.signal);
        examples.note(url, null);
      } catch (thrown) {
        if (ending.signal.aborted) return;
        examples.note(url, asFailure(thrown).key);
      }
  }
  const timer = isOn ? setInterval(() => void look(), everyMs).unref() : undefined;
  return {
    examples,
    close() {
      ending.abort();
      clearInterval(timer);
    },
  };
}
