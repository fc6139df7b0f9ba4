import { useState } from 'react';
import { useTranslate } from '../../../translation.tsx';
import { type ClipboardError, usePasteHint } from '../box-notices.tsx';
import type { LinkField } from '../link-box/link-box.tsx';
import type { Tool } from './use-tool.ts';

/** A visitor's actions on the tool. */
export type Actions = ReturnType<typeof useActions>['actions'];

/**
 * The actions on the tool, each with its announcement and its focus.
 * @returns also the lines of the hint that says how to paste; none without a hint
 */
export function useActions(
  { resolve, lookAgain, cancel, reset }: Omit<Tool, 'state'>,
  field: LinkField,
  announce: (message: string) => void,
) {
  const t = useTranslate();
  const [clipboardError, setClipboardError] = useState<ClipboardError | null>(null);
  const pasteHintFor = usePasteHint();

  /** Looks up the text of the box. */
  function begin(text: string): void {
    setClipboardError(null);
    announce(t('status.resolving'));
    void resolve(text);
  }

  const actions = {
    begin,
    lookAgain,
    /** Puts a text into the box, and looks it up. */
    enter(text: string) {
      field.fill(text);
      begin(text);
    },
    /** Puts a text into the box for the visitor to check. */
    suggest(text: string) {
      field.fill(text);
      field.focus();
    },
    /** Aborts the look-up; the text stays. */
    stop() {
      cancel();
      announce(t('status.cancelled'));
      field.focus();
    },
    /** Empties the box and the page. */
    startOver() {
      reset();
      setClipboardError(null);
      field.fill('');
      field.focus();
      announce(t('status.cleared'));
    },
    /** Says how to paste, after the paste button returned nothing. */
    explainPaste(error: ClipboardError) {
      setClipboardError(error);
      announce(pasteHintFor(error).join(' '));
    },
  };
  return { actions, pasteHint: clipboardError === null ? [] : pasteHintFor(clipboardError) };
}
