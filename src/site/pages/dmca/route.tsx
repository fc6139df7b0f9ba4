import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { laterView } from '../later-view.ts';
import { handleForm, loadFormPage } from '../message-form/loader.ts';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';
export { formHeaders as headers } from '../message-form/loader.ts';

export const loader = (request: LoaderFunctionArgs) => loadFormPage(request, 'dmca');

export const action = (request: ActionFunctionArgs) => handleForm(request, 'dmca');

export default function DmcaPage() {
  return <laterView.Part of="form" />;
}
