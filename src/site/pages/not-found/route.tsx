import { data } from 'react-router';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';

export function loader(): never {
  throw data(null, { status: 404 });
}

/** React Router takes a module without a component for an endpoint, and would respond without the 404 screen. */
export default function NotFoundPage() {
  return null;
}
