import { type FormEvent, useState } from 'react';
import { useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { Notice } from '../../../ui/surfaces.tsx';

interface ThinNoticeProps {
  /** The post's address. */
  url: string;
  /** The form's target without scripts. */
  action: string;
  /**
   * Reads the post again.
   * @returns whether there is more of it now
   */
  onLookAgain(): Promise<boolean>;
  onAnnounce(text: string): void;
}

/** Says that the platform shows only a video's standard version, and looks again for more of it. */
export function ThinNotice({ url, action, onLookAgain, onAnnounce }: ThinNoticeProps) {
  const t = useTranslate();
  const [phase, setPhase] = useState<'new' | 'looking' | 'same'>('new');

  async function look(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (phase === 'looking') return;
    setPhase('looking');
    onAnnounce(t('status.resolving'));
    if (await onLookAgain()) return;
    setPhase('same');
    onAnnounce(t('thin.same'));
  }

  return (
    <Notice kind="plain">
      <p>{t(phase === 'same' ? 'thin.same' : 'thin.text')}</p>
      <form method="post" action={action} onSubmit={look}>
        <input type="hidden" name="url" value={url} />
        <Button
          type="submit"
          name="again"
          value="1"
          strength="plain"
          aria-busy={phase === 'looking' || undefined}
        >
          {t('thin.again')}
        </Button>
      </form>
    </Notice>
  );
}
