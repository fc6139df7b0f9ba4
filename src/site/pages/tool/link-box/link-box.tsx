import {
  type ClipboardEvent,
  type FormEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useMounted } from '../../../browser/mounted.ts';
import { linkInput } from '../../../layout/link-form.tsx';
import { useTranslate } from '../../../translation.tsx';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { ClipboardError } from '../box-notices.tsx';
import { mentionsPlatform } from './typed-links.ts';

interface LinkBoxProps {
  /** The form's target without scripts. */
  action: string;
  initialText: string;
  /**
   * The text being looked up, or that of the shown post; null for none. While it is unchanged, the box is
   * inconspicuous.
   */
  asked: string | null;
  busy: boolean;
  /** Whether something that can be dropped is dragged over the page. */
  dropping: boolean;
  /** Whether its text can never lead to a post. */
  invalid: boolean;
  /** Ids of the texts that describe it. */
  describedBy: string | undefined;
  field: RefObject<HTMLInputElement | null>;
  /** Called when a visitor is about to use it. */
  onAttention(): void;
  onLink(text: string): void;
  onClear(): void;
  /** The browser returned nothing from the clipboard. */
  onClipboard(error: ClipboardError): void;
}

/** Joins lines with spaces; a single-line field would join them without. */
const asLine = (text: string) => text.replace(/\s+/g, ' ');

/** Id of the form, for buttons outside it. */
export const linkFormId = 'link-form';

/**
 * The box for the link: type, paste or take it from the clipboard. A plain form without scripts. After a result it is a
 * quiet row with the link; when the link changes, its button returns.
 */
export function LinkBox(props: LinkBoxProps) {
  const t = useTranslate();
  const { field, onLink, dropping } = props;
  const [text, setText] = useState(props.initialText);
  const isQuiet = props.asked !== null && text === asLine(props.asked) && !dropping;

  // Keeps text typed before hydration.
  useEffect(() => setText(field.current?.value ?? ''), [field]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLink(field.current?.value ?? '');
  };

  const className = ['link-box', isQuiet && 'link-box-quiet', dropping && 'link-box-dropping']
    .filter(Boolean)
    .join(' ');
  return (
    <form
      id={linkFormId}
      className={className}
      method="post"
      action={props.action}
      onFocus={props.onAttention}
      onPointerEnter={props.onAttention}
      onSubmit={submit}
    >
      <label className="visually-hidden" htmlFor="link">
        {t('link.label')}
      </label>
      <FieldWithButtons {...props} isEmpty={text === ''} isQuiet={isQuiet} onText={setText} />
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

interface FieldProps extends LinkBoxProps {
  isEmpty: boolean;
  isQuiet: boolean;
  onText(text: string): void;
}

/** The field with its paste and clear buttons. */
function FieldWithButtons({ field, dropping, isEmpty, isQuiet, onText, ...props }: FieldProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const canPaste = mounted && typeof navigator.clipboard?.readText === 'function';

  const take = (taken: string) => {
    if (field.current !== null) field.current.value = asLine(taken);
    onText(asLine(taken));
    props.onLink(taken);
  };

  const pasted = (event: ClipboardEvent) => {
    const taken = event.clipboardData.getData('text');
    if (!mentionsPlatform(taken)) return;
    event.preventDefault();
    take(taken.trim());
  };

  return (
    <div className="link-field">
      <Icon name="link" />
      <input
        ref={field}
        id="link"
        {...linkInput}
        defaultValue={props.initialText}
        dir={isEmpty ? undefined : 'ltr'}
        placeholder={dropping ? t('link.drop') : t('link.placeholder')}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        onInput={(event) => onText(event.currentTarget.value)}
        onPaste={pasted}
      />
      {!isEmpty && mounted && <IconButton icon="close" label={t('link.clear')} onClick={props.onClear} />}
      {isQuiet && !mounted && (
        <a className="icon-button" href={props.action} aria-label={t('link.clear')} title={t('link.clear')}>
          <Icon name="close" />
        </a>
      )}
      {isEmpty && canPaste && (
        <PasteButton
          onText={take}
          onError={(error) => {
            props.onClipboard(error);
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function PasteButton({
  onText,
  onError,
}: {
  onText(text: string): void;
  onError(error: ClipboardError): void;
}) {
  const t = useTranslate();
  const readClipboard = async () => {
    try {
      const taken = (await navigator.clipboard.readText()).trim();
      if (taken === '') onError('empty');
      else onText(taken);
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) throw thrown;
      onError('refused');
    }
  };
  return (
    <Button strength="quiet" icon="clipboard" className="link-paste" onClick={readClipboard}>
      {t('link.paste')}
    </Button>
  );
}

/** The link box's field, for code that fills it from elsewhere on the page. */
export type LinkField = ReturnType<typeof useLinkField>;

/** The field of the link box; always the same object. */
export function useLinkField() {
  const ref = useRef<HTMLInputElement>(null);
  return useMemo(
    () => ({
      ref,
      /** Puts a text into it, as if it were typed. */
      fill(text: string) {
        if (ref.current === null) return;
        // It is one line.
        ref.current.value = asLine(text);
        ref.current.dispatchEvent(new Event('input', { bubbles: true }));
      },
      focus: (options?: FocusOptions) => ref.current?.focus(options),
    }),
    [],
  );
}
