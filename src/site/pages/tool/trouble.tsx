import { useTranslate } from '../../texts.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { remedyFor } from './remedy.ts';
import { useCountdown } from './use-countdown.ts';
import type { Trouble as TroubleFacts } from './use-tool.ts';

/** The link box is described by both. */
export const troubleIds = 'tool-failure tool-failure-hint';

interface TroubleProps {
  trouble: TroubleFacts;
  /** What was asked for. */
  text: string;
  /** The form that asks again. */
  form: string;
  /** The page without a link. */
  emptyHref: string;
  onAnother(): void;
}

/** Why there is no result, directly below the box, and the one thing that helps. */
export function Trouble({ trouble, text, form, emptyHref, onAnother }: TroubleProps) {
  const t = useTranslate();
  const seconds = useCountdown(trouble.retryAt);
  const remedy = text.trim() === '' && trouble.link === null ? 'none' : remedyFor(trouble.key);
  return (
    <Card className="trouble">
      <Notice kind="trouble">
        <p id="tool-failure">{trouble.message}</p>
        {trouble.hint !== null && <p id="tool-failure-hint">{trouble.hint}</p>}
        {remedy === 'retry' &&
          (seconds > 0 ? (
            <p className="trouble-wait">{t('failure.retry-in', { seconds })}</p>
          ) : (
            <Button type="submit" form={form} strength="plain">
              {t('failure.retry')}
            </Button>
          ))}
        {remedy === 'another' && (
          <LinkButton
            strength="plain"
            href={emptyHref}
            onClick={(event) => {
              event.preventDefault();
              onAnother();
            }}
          >
            {t('failure.another')}
          </LinkButton>
        )}
        {remedy === 'elsewhere' && trouble.link !== null && (
          <LinkButton strength="plain" href={trouble.link} target="_blank" rel="noopener noreferrer nofollow">
            {t('failure.elsewhere')}
          </LinkButton>
        )}
      </Notice>
    </Card>
  );
}
