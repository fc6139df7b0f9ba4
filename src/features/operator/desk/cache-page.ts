import { z } from 'zod';
import { type Action, type DeskPage, textsOf } from '../../../server/desk/desk-page.ts';
import { dropPages, type PageCache } from '../../../server/page-cache/page-cache.ts';

/** An address of this site, or its path. */
const dropForm = z.object({
  address: z
    .string()
    .trim()
    .max(2000)
    .transform((text, context) => {
      const url = URL.parse(text, 'https://site.invalid');
      if (url !== null && text !== '' && (text.startsWith('/') || URL.canParse(text))) return url.pathname;
      context.addIssue({ code: 'custom', message: 'no address' });
      return z.NEVER;
    }),
});

/** Without the slash at its end, as the cache names pages. */
const named = (path: string) => path.replace(/(?<=.)\/$/, '');

/** Pages that are kept: all of them dropped, or those of one address. */
export function cachePage({ pageCache }: { readonly pageCache: PageCache }) {
  const dropAll: Action = async () => {
    const dropped = await pageCache.operations.reset();
    return { outcome: 'done', object: 'all pages', text: `${dropped} pages were dropped.` };
  };

  const dropOne: Action = async ({ form }) => {
    const { address } = textsOf(form, dropForm, 'Give an address, or its path from the first slash on.');
    const path = named(address);
    const dropped = await dropPages(pageCache, (one) => one === path);
    return { outcome: 'done', object: path, text: `${dropped} forms of ${path} were dropped.` };
  };

  return {
    name: 'cache',
    section: 'Do',
    title: 'Page cache',
    load: async () => ({ kept: (await pageCache.operations.keys('pages')).length }),
    actions: { all: dropAll, one: dropOne },
  } satisfies DeskPage;
}

export type CacheData = NonNullable<Awaited<ReturnType<ReturnType<typeof cachePage>['load']>>>;
