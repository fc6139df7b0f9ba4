import { useState } from 'react';
import { useTranslate } from '../../../translation.tsx';
import { type ClipboardError, usePasteHint } from '../link-box/paste-hint.tsx';
import type { LinkField } from '../link-box/use-link-field.ts';
import type { Tool } from './use-tool.ts';

/** A visitor's actions on the tool. */
export interface Actions {
  /** Looks up the text of the box. */
  begin(text: string): void;
  /** Puts a text into the box, and looks it up. */
  enter(text: string): void;
  /** Puts a text into the box for the visitor to check. */
  suggest(text: string): void;
  /**
   * Reads the shown thin post again.
   * @returns whether there was more
   */
  lookAgain(): Promise<boolean>;
  /** Aborts the look-up; the text stays. */
  stop(): void;
  /** Empties the box and the page. */
  startOver(): void;
  /** Says how to paste, after the paste button returned nothing. */
  explainPaste(error: ClipboardError): void;
}

/**
 * The actions on the tool, each with its announcement and its focus.
 * @returns also the lines of the hint that says how to paste; none without a hint
 */
export function useActions(
  { resolve, lookAgain, cancel, reset }: Omit<Tool, 'state'>,
  field: LinkField,
  announce: (message: string) => void,
): { readonly actions: Actions; readonly pasteHint: readonly string[] } {
  const t = useTranslate();
  const [clipboardError, setClipboardError] = useState<ClipboardError | null>(null);
  const pasteHintFor = usePasteHint();

  function begin(text: string): void {
    setClipboardError(null);
    announce(t('status.resolving'));
    void resolve(text);
  }

  const actions: Actions = {
    begin,
    lookAgain,
    enter(text) {
      field.fill(text);
      begin(text);
    },
    suggest(text) {
      field.fill(text);
      field.focus();
    },
    stop() {
      cancel();
      announce(t('status.cancelled'));
      field.focus();
    },
    startOver() {
      reset();
      setClipboardError(null);
      field.fill('');
      field.focus();
      announce(t('status.cleared'));
    },
    explainPaste(error) {
      setClipboardError(error);
      announce(pasteHintFor(error).join(' '));
    },
  };
  return { actions, pasteHint: clipboardError === null ? [] : pasteHintFor(clipboardError) };
}
