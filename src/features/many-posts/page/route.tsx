import type { HeadersArgs } from 'react-router';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';

export { ErrorBoundary } from '../../../site/layout/error/error-screen.tsx';
export { action, loader } from './loader.ts';

export function headers({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? loaderHeaders;
}

const load = async () => (await import('./many-posts-page.tsx')).ManyPostsPage;

/** A component imported here would share its layout with the code of every page. */
const view = lazyPart('many posts', load, import.meta.env.SSR ? await load() : null);

export default function ManyPostsRoute() {
  return <view.Part />;
}
