import { laterView } from '../later-view.ts';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';
export { loader } from './loader.ts';

export default function CategoryPage() {
  return <laterView.Part of="category" />;
}
