import { data, type LoaderFunctionArgs } from 'react-router';
import { openStaticPage } from '../../page-request.ts';

export function loader(request: LoaderFunctionArgs) {
  openStaticPage(request, 'author');
  throw data(null, { status: 404 });
}

/** React Router takes a module without a component for an endpoint, and would answer without the 404 screen. */
export default function AuthorPage() {
  return null;
}
