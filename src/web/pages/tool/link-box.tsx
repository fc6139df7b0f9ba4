import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type RefObject,
  useEffect,
  useState,
} from 'react';
import { useMounted } from '../../browser/mounted.ts';
import { mentionsPlatform } from '../../browser/typed-links.ts';
import { useTranslate } from '../../translation.tsx';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ClipboardError } from './paste-hint.tsx';

interface LinkBoxProps {
  /** Where the form goes without scripts. */
  action: string;
  initialText: string;
  busy: boolean;
  /** Whether what stands in it can never be used. */
  invalid: boolean;
  /** Ids of what is said about it. */
  describedBy: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  /** Somebody is about to use it. */
  onAttention(): void;
  onLink(text: string): void;
  onClear(): void;
  /** The browser gave nothing from the clipboard. */
  onClipboard(error: ClipboardError): void;
}

/** Other buttons name it to send it. */
export const linkFormId = 'link-form';

/** The box for the link: type, paste, drop or take from the clipboard. A form like any other without scripts. */
export function LinkBox(props: LinkBoxProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const { field, onLink } = props;
  const [empty, setEmpty] = useState(props.initialText === '');
  const [dropping, setDropping] = useState(false);
  const canPaste = mounted && typeof navigator.clipboard?.readText === 'function';

  // What was typed before the scripts arrived is still there.
  useEffect(() => setEmpty((field.current?.value ?? '') === ''), [field]);

  const take = (text: string) => {
    // A field of one line would put lines together without a space.
    if (field.current !== null) field.current.value = text.replace(/\s+/g, ' ');
    setEmpty(text === '');
    onLink(text);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLink(field.current?.value ?? '');
  };

  const pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!mentionsPlatform(text)) return;
    event.preventDefault();
    take(text.trim());
  };

  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    const text = event.dataTransfer.getData('text/uri-list') || event.dataTransfer.getData('text/plain');
    if (text.trim() !== '') take(text.trim());
  };

  const readClipboard = async () => {
    try {
      const text = (await navigator.clipboard.readText()).trim();
      if (text !== '') return take(text);
      props.onClipboard('empty');
      field.current?.focus();
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) throw thrown;
      props.onClipboard('refused');
      field.current?.focus();
    }
  };

  return (
    <form
      id={linkFormId}
      className={dropping ? 'link-box link-box-dropping' : 'link-box'}
      method="post"
      action={props.action}
      onFocus={props.onAttention}
      onPointerEnter={props.onAttention}
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      }}
      onDrop={dropped}
    >
      <label className="visually-hidden" htmlFor="link">
        {t('link.label')}
      </label>
      <div className="link-field">
        <Icon name="link" />
        <input
          ref={field}
          id="link"
          name="url"
          type="text"
          inputMode="url"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={props.initialText}
          dir={empty ? undefined : 'ltr'}
          placeholder={dropping ? t('link.drop') : t('link.placeholder')}
          aria-invalid={props.invalid || undefined}
          aria-describedby={props.describedBy}
          onInput={(event) => setEmpty(event.currentTarget.value === '')}
          onPaste={pasted}
        />
        {!empty && mounted ? (
          <IconButton icon="close" label={t('link.clear')} onClick={props.onClear} />
        ) : (
          canPaste && (
            <Button strength="quiet" icon="clipboard" className="link-paste" onClick={readClipboard}>
              {t('link.paste')}
            </Button>
          )
        )}
      </div>
      <Button
        type="submit"
        strength="action"
        icon="download"
        className="link-submit"
        aria-busy={props.busy || undefined}
      >
        {t('link.submit')}
      </Button>
    </form>
  );
}
