import type { HeadersArgs } from 'react-router';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';

export { ErrorBoundary } from '../../../site/layout/error/error-screen.tsx';
export { loader } from './loader.ts';

export function headers({ loaderHeaders, errorHeaders }: HeadersArgs): Headers {
  return errorHeaders ?? loaderHeaders;
}

const load = async () => (await import('./status-page.tsx')).StatusPage;

/** A component imported here would share its layout with the code of every page. */
const view = lazyPart('status', load, import.meta.env.SSR ? await load() : null);

export default function StatusRoute() {
  return <view.Part />;
}
