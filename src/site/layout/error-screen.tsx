import { Link } from 'react-router';
import { useRequestId } from '../request-id.tsx';
import { useTranslate } from '../texts.tsx';
import { Mark } from '../ui/icon.tsx';

interface ErrorScreenProps {
  status: number;
  homePath: string;
  /** Says what happened, in the place of the usual text. */
  message?: string | null;
}

/** What a visitor sees instead of a page. Never what went wrong inside. */
export function ErrorScreen({ status, homePath, message = null }: ErrorScreenProps) {
  const t = useTranslate();
  const requestId = useRequestId();
  const kind = status === 404 ? 'not-found' : status >= 500 ? 'server' : 'other';
  return (
    <div className="container error-screen">
      <title>{status === 404 ? '404' : t(`error.${kind}.title`)}</title>
      <meta name="description" content={t(`error.${kind}.text`)} />
      <meta name="robots" content="noindex" />
      <Mark />
      <p className="error-status">{status}</p>
      <h1>{t(`error.${kind}.title`)}</h1>
      <p>{message ?? t(`error.${kind}.text`)}</p>
      <Link className="button button-action" to={homePath}>
        <span>{t('error.home')}</span>
      </Link>
      {status >= 500 && requestId !== null && (
        <p className="error-request">
          {t('error.request', { id: '' })}
          <code data-request-id="">{requestId}</code>
        </p>
      )}
    </div>
  );
}

/** When not even the layout's texts could be had, so in no language of the catalogues. */
export function LastResort() {
  const requestId = useRequestId();
  return (
    <main className="container error-screen">
      <title>An error occured while showing the error page</title>
      <h1>An error occured while showing the error page</h1>
      <p>Unfortunately an error occured and while showing the error page another error occured</p>
      {requestId !== null && <code data-request-id="">{requestId}</code>}
      <a href="/">Go back to home</a>
    </main>
  );
}
