import type { LoaderFunctionArgs } from 'react-router';
import { openStaticPage } from '../../loaders/page-context.ts';
import { laterView } from '../later-view.ts';
import { loadApiPage } from './page-data.ts';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';

export function loader(request: LoaderFunctionArgs) {
  const { services, address } = openStaticPage(request, 'api');
  return loadApiPage(services, address);
}

export default function ApiPage() {
  return <laterView.Part of="api" />;
}
