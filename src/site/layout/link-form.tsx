import { useTranslate } from '../translation.tsx';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';

/** The attributes of every field for links. */
export const linkInput = {
  name: 'url',
  type: 'text',
  inputMode: 'url',
  enterKeyHint: 'go',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

/**
 * A link box for pages without a downloader: it submits to one. A plain form without scripts or data, so it also works
 * on error screens.
 * @param props.action path of the downloader page
 */
export function LinkForm({ action }: { action: string }) {
  const t = useTranslate<'common'>();
  return (
    <form className="link-box link-form" method="get" action={action}>
      <div className="link-field">
        <Icon name="link" />
        <input {...linkInput} required aria-label={t('link.label')} placeholder={t('link.placeholder')} />
      </div>
      <Button type="submit" strength="action" icon="download" className="link-submit">
        {t('link.submit')}
      </Button>
    </form>
  );
}
