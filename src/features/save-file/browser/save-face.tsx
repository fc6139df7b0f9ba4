import { useTranslate } from '../../../site/translation.tsx';
import { IconButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { Progress } from '../../../site/ui/surfaces.tsx';

/** A phone holds all files in memory until they are shared. */
export const maxBytes = 200_000_000;

export interface Face {
  readonly label: string;
  readonly isPhotos: boolean;
}

interface SaveFaceProps extends Face {
  /** Null while it looks unpressed. */
  stage: 'preparing' | 'ready' | 'saved' | null;
  /** While it is prepared, from 0 to 1; null while unknown. */
  fraction?: number | null;
  onPress?(): void;
  onCancel?(): void;
}

/** The button for the share sheet, in each of its states as high as a file's. */
export function SaveFace({ label, isPhotos, stage, fraction = null, onPress, onCancel }: SaveFaceProps) {
  const t = useTranslate<'save-file' | 'tool'>();
  const sign = stage === 'saved' ? 'check' : stage === 'preparing' ? 'clock' : 'images';
  const said = { preparing: t('save.loading'), ready: t('save.ready'), saved: t('option.saved') };
  return (
    <div className="option">
      <button
        type="button"
        className={`button button-action option-link option-${isPhotos ? 'photos' : 'video'}`}
        data-stage={stage ?? undefined}
        onClick={onPress}
      >
        <span className="option-sign">
          <Icon name={sign} />
        </span>
        <span className="option-words">
          <span className="option-name">{stage === 'ready' ? t('save.now') : label}</span>
          {stage !== null && (
            <span className="option-facts">
              <span className="option-stage">{said[stage]}</span>
            </span>
          )}
        </span>
        {stage === 'preparing' && <Progress fraction={fraction} label={t('save.loading')} />}
      </button>
      {onCancel !== undefined && (
        <IconButton
          icon="close"
          label={t('conversion.cancel')}
          className="option-cancel"
          onClick={onCancel}
        />
      )}
    </div>
  );
}
