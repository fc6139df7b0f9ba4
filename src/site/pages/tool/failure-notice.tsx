import { useCountdown } from '../../browser/countdown.ts';
import { onPlainClick } from '../../browser/plain-click.ts';
import { useDocument } from '../../document/document-context.tsx';
import { useTranslate } from '../../translation.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Card, ErrorNotice } from '../../ui/surfaces.tsx';
import { isSharedTrouble, remedyFor } from './link-box/remedy.ts';
import type { ToolFailure } from './state/tool-state.ts';

/** Ids of the texts that describe the link box: the hint first, then the message. */
export const failureIds = 'tool-failure-hint tool-failure';

interface FailureNoticeProps {
  failure: ToolFailure;
  /** The submitted text. */
  text: string;
  /** The id of the form that retries. */
  form: string;
  /** The page without a link. */
  emptyHref: string;
  onAnother(): void;
}

/** Why there is no result, directly below the box, with one remedy. */
export function FailureNotice({ failure, text, form, emptyHref, onAnother }: FailureNoticeProps) {
  const t = useTranslate();
  const { troublePath } = useDocument();
  const seconds = useCountdown(failure.retryAt);
  const remedy = text.trim() === '' && failure.link === null ? 'none' : remedyFor(failure.key);
  return (
    <Card className="failure-notice">
      <ErrorNotice isAwaited>
        {failure.hint !== null && <p id="tool-failure-hint">{failure.hint}</p>}
        <p id="tool-failure">{failure.message}</p>
        {remedy === 'retry' &&
          (seconds > 0 ? (
            <p className="failure-wait">{t('failure.retry-in', { seconds })}</p>
          ) : (
            <Button type="submit" form={form} strength="plain">
              {t('failure.retry')}
            </Button>
          ))}
        {remedy === 'another' && (
          <LinkButton strength="plain" href={emptyHref} onClick={onPlainClick(onAnother)}>
            {t('failure.another')}
          </LinkButton>
        )}
        {remedy === 'elsewhere' && failure.link !== null && (
          <LinkButton strength="plain" href={failure.link} target="_blank" rel="noopener noreferrer nofollow">
            {t('failure.elsewhere')}
          </LinkButton>
        )}
        {troublePath !== null && isSharedTrouble(failure.key) && (
          <p>
            <a href={troublePath}>{t('failure.status')}</a>
          </p>
        )}
      </ErrorNotice>
    </Card>
  );
}
