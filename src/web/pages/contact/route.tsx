import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { FormPage, formHeaders, handleForm, loadFormPage } from '../message-form/form-page.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

export const loader = (request: LoaderFunctionArgs) => loadFormPage(request, 'contact');

export const action = (request: ActionFunctionArgs) => handleForm(request, 'contact');

export const headers = formHeaders;

export default FormPage;
