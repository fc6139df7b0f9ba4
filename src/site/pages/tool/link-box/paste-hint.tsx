import { useTranslate } from '../../../translation.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';

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
