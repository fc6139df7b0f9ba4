import { lazyPart } from '../browser/navigation/lazy-part.tsx';

const load = async () => (await import('./views.tsx')).View;

/**
 * The pages to read or to fill in, loaded together: most visitors come for a downloader, whose pages need none of
 * them.
 */
export const laterView = lazyPart('view', load, import.meta.env.SSR ? await load() : null);
