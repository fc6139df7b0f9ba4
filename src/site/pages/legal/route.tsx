import { laterView } from '../later-view.ts';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';
export { loader } from './loader.ts';

export default function LegalPage() {
  return <laterView.Part of="legal" />;
}
