import { useCountdown } from '../../browser/countdown.ts';
import { onPlainClick } from '../../browser/plain-click.ts';
import { useDocument } from '../../document/document-context.tsx';
import { useTranslate } from '../../translation.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Card, ErrorNotice, Notice } from '../../ui/surfaces.tsx';
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

/** Why the paste button returned nothing: the browser refused access to the clipboard, or it contains no text. */
export type ClipboardError = 'refused' | 'empty';

export const pasteHintId = 'paste-hint';

/** Says why nothing was pasted, and how to paste on this device. Only in browsers: the server does not know the device. */
export function usePasteHint(): (error: ClipboardError) => readonly string[] {
  const t = useTranslate();
  return (error) => {
    if (error === 'empty') return [t('link.clipboard-empty')];
    if (matchMedia('(pointer: coarse)').matches) return [t('link.clipboard-refused'), t('link.paste-touch')];
    const isMac = /Mac/.test(navigator.platform);
    return [t('link.clipboard-refused'), t(isMac ? 'link.paste-mac' : 'link.paste-keys')];
  };
}

export function PasteHint(props: { lines: readonly string[] }) {
  return (
    <Card className="failure-notice">
      <Notice kind="error">
        <div id={pasteHintId}>
          {props.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </Notice>
    </Card>
  );
}
