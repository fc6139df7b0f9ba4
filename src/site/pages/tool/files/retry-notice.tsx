import { useCountdown } from '../../../browser/countdown.ts';
import { useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { ErrorNotice } from '../../../ui/surfaces.tsx';

interface RetryNoticeProps {
  line: string;
  /** When another try makes sense, ms since the epoch; null for at once. */
  retryAt?: number | null;
  onRetry(): void;
}

/** Why a file did not come, with another try. */
export function RetryNotice({ line, retryAt = null, onRetry }: RetryNoticeProps) {
  const t = useTranslate();
  const seconds = useCountdown(retryAt);
  return (
    <ErrorNotice>
      <p>{line}</p>
      {seconds > 0 ? (
        <p>{t('failure.retry-in', { seconds })}</p>
      ) : (
        <Button strength="plain" onClick={onRetry}>
          {t('failure.retry')}
        </Button>
      )}
    </ErrorNotice>
  );
}
