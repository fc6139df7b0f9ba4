import { laterView } from '../later-view.ts';

export { ErrorBoundary } from '../../layout/error/error-screen.tsx';
export { formHeaders as headers, handleForm as action, loadFormPage as loader } from './loader.ts';

export default function MessageFormPage() {
  return <laterView.Part of="form" />;
}
