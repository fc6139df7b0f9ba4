import { useEffect, useState } from 'react';
import { useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { Card, Skeleton } from '../../../ui/surfaces.tsx';

/** After this long, visitors doubt that anything happens. */
const slowMs = 4_000;

/** A placeholder in the result's shape; when it takes long, it explains why and offers to cancel. */
export function Waiting(props: { onCancel(): void; onAnnounce(text: string): void }) {
  const t = useTranslate();
  const { onAnnounce } = props;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSlow(true);
      onAnnounce(t('status.slow'));
    }, slowMs);
    return () => clearTimeout(timer);
  }, [onAnnounce, t]);
  return (
    <Card className="result result-skeleton">
      <div className="result-cover">
        <Skeleton className="skeleton-cover" />
      </div>
      <div className="result-about">
        <p className="result-waiting">{t('status.resolving')}</p>
        <Skeleton className="skeleton-line" />
        <Skeleton className="skeleton-line skeleton-short" />
      </div>
      <div className="result-options">
        {slow ? (
          <div className="result-slow">
            <p>{t('status.slow')}</p>
            <Button strength="plain" icon="close" className="result-cancel" onClick={props.onCancel}>
              {t('conversion.cancel')}
            </Button>
          </div>
        ) : (
          <Skeleton className="skeleton-button" />
        )}
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-list" />
      </div>
    </Card>
  );
}
